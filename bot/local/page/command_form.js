/** A chosen command in the message box: one field for each option, with autocompletion. */
import { fixedChoices, TYPE, tree, typedOptions, valueOf } from "./commands.js";
import { h, icon } from "./dom.js";

const TYPING_PAUSE_MS = 120; // without a key, before the bot is asked for choices

/** commandForm(chat, entry, suggestions, {typed, run(options), cancel(), note(text)}) -> {element, submit, focus} */
export function commandForm(chat, entry, suggestions, { typed, run, cancel, note }) {
  const fields = [];
  const element = h("div", { class: "command", role: "group", "aria-label": `/${entry.name}` });
  const moreInput = h("input", { class: "command-more", "aria-label": "More options; Enter runs the command", autocapitalize: "off", spellcheck: "false" });
  let requestNumber = 0;

  const unusedOptions = () => entry.options.filter((option) => !fields.some((field) => field.option === option));
  const nextEmpty = () => fields.find((field) => field.option.required && field.input.value === "");

  function valueIn(field) {
    const { input, chosen, option } = field;
    if (chosen && chosen.name === input.value) return { value: chosen.value };
    return valueOf(option, input.value, chat);
  }

  /** The filled-in fields as Discord sends them; the focused one is sent as typed. */
  function optionsFor(focused) {
    const filled = fields.filter((field) => field === focused || field.input.value !== "");
    return filled.flatMap((field) => {
      const { name, type } = field.option;
      if (field === focused) return [{ type, name, value: field.input.value, focused: true }];
      const { value } = valueIn(field);
      return value === undefined ? [] : [{ type, name, value }];
    });
  }

  function showChoices(field, choices, first) {
    const { option, input } = field;
    const heading = `${option.name}${option.required ? "" : " (optional)"} — ${option.description ?? ""}`;
    const items = choices.map((choice) => ({ label: choice.name, choice }));
    const text = choices.length || input.value === "" ? heading : `${heading} · nothing fits “${input.value}”`;
    suggestions.show(input, items, { note: text, first, pick: ({ choice }) => chooseValue(field, choice) });
  }

  function chooseValue(field, choice) {
    field.chosen = choice;
    field.input.value = choice.name;
    fitWidth(field);
    field.box.classList.remove("wrong");
    suggestions.hide();
    advance();
  }

  function advance() {
    (nextEmpty()?.input ?? moreInput).focus();
  }

  async function updateChoices(field, pause) {
    requestNumber += 1;
    const ownNumber = requestNumber;
    const fixed = fixedChoices(field.option, chat);
    if (fixed) {
      const wanted = field.chosen ? "" : field.input.value.toLowerCase();
      showChoices(field, fixed.filter((choice) => choice.name.toLowerCase().includes(wanted)), 0);
      return;
    }
    if (!field.option.autocomplete) {
      showChoices(field, [], -1);
      return;
    }
    if (pause) await new Promise((resolve) => setTimeout(resolve, TYPING_PAUSE_MS));
    if (ownNumber !== requestNumber) return;
    if (!suggestions.open) showChoices(field, [], -1);
    const choices = await chat.autocomplete({
      channel_id: chat.active,
      command_id: entry.command.id,
      name: entry.command.name,
      options: tree(entry, optionsFor(field)),
    });
    if (ownNumber !== requestNumber || document.activeElement !== field.input) return;
    if (choices === null) suggestions.show(field.input, [], { note: "Loading options failed.", pick: () => {}, first: -1 });
    else showChoices(field, choices, 0);
  }

  const fitWidth = ({ input }) => {
    input.size = Math.max(4, Math.min(40, input.value.length + 1));
  };

  function addField(option, value = "") {
    const numeric = option.type === TYPE.integer || option.type === TYPE.number;
    const input = h("input", { "aria-label": option.name, inputmode: numeric ? "numeric" : null, autocapitalize: "off", spellcheck: "false", enterkeyhint: "next" });
    const remove = h("button", { type: "button", class: "remove", "aria-label": `Remove ${option.name}`, tabindex: "-1" }, icon("close"));
    const box = h("label", { class: "field", "data-option": option.name }, h("span", { class: "field-name" }, option.name), input, option.required ? null : remove);
    const field = { option, input, box, chosen: null };
    input.value = value;
    fitWidth(field);
    input.addEventListener("focus", () => updateChoices(field, false));
    input.addEventListener("input", () => {
      if (moveNamedOptions(input, option)) return;
      field.chosen = null;
      box.classList.remove("wrong");
      fitWidth(field);
      updateChoices(field, true);
    });
    input.addEventListener("blur", () => {
      requestNumber += 1;
      suggestions.hide();
    });
    input.addEventListener("keydown", (event) => handleKey(event, field));
    remove.addEventListener("click", () => removeField(field));
    fields.push(field);
    moreInput.before(box);
    return field;
  }

  /**
   * Move options that were typed with their names, "number: 2", to fields of their own, as Discord does; the text
   * before them stays. Return whether there was one. `own` is the option of the field that was typed in, or null.
   */
  function moveNamedOptions(input, own) {
    const isFilled = (option) => fields.some((field) => field.option === option && field.input.value !== "");
    const isOwnName = own !== null && input.value.trimStart().toLowerCase().startsWith(`${own.name}:`);
    const { lead, named } = typedOptions(input.value, entry.options.filter((option) => (option === own ? isOwnName : !isFilled(option))));
    if (!named.size) return false;
    input.value = named.get(own?.name) ?? lead;
    for (const option of entry.options.filter(({ name }) => named.has(name))) {
      const field = fields.find((other) => other.option === option) ?? addField(option);
      field.input.value = named.get(option.name);
      fitWidth(field);
    }
    const last = fields.find((field) => field.option.name === [...named.keys()].at(-1));
    last.chosen = null;
    // The field may have the focus already; its list is of what was typed before.
    if (document.activeElement === last.input) updateChoices(last, true);
    else last.input.focus();
    return true;
  }

  function removeField(field) {
    fields.splice(fields.indexOf(field), 1);
    field.box.remove();
    suggestions.hide();
    moreInput.focus();
  }

  function handleKey(event, field) {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (suggestions.move(event.key === "ArrowDown" ? 1 : -1)) event.preventDefault();
    } else if ((event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) && suggestions.marked) {
      event.preventDefault();
      // A value that was chosen stays; Enter then moves to the next field.
      if (field.chosen) advanceOrRun(event.key);
      else suggestions.acceptMarked();
    } else if (event.key === "Enter") {
      event.preventDefault();
      advanceOrRun(event.key);
    } else if (event.key === "Escape") {
      event.preventDefault();
      requestNumber += 1; // choices that come late must not open the list again
      if (suggestions.open) suggestions.hide();
      else cancel();
    } else if (event.key === "Backspace" && field.input.value === "") {
      event.preventDefault();
      const before = fields[fields.indexOf(field) - 1];
      if (!field.option.required) removeField(field);
      else if (before) before.input.focus();
      else cancel(`/${entry.name}`);
    }
  }

  function advanceOrRun(key) {
    if (key === "Enter" && !nextEmpty()) submit();
    else advance();
  }

  function suggestOptions() {
    const text = moreInput.value.trim().toLowerCase();
    const rest = unusedOptions().filter((option) => option.name.includes(text));
    const items = rest.map((option) => ({ label: option.name, detail: option.description, option }));
    const heading = rest.length ? `/${entry.name} — Enter runs it; or add an option` : `/${entry.name} — ${entry.description} · Enter runs it`;
    suggestions.show(moreInput, items, {
      note: heading,
      first: text && items.length ? 0 : -1,
      pick: ({ option }) => {
        moreInput.value = "";
        addField(option).input.focus();
      },
    });
  }

  moreInput.addEventListener("focus", suggestOptions);
  moreInput.addEventListener("input", () => moveNamedOptions(moreInput, null) || suggestOptions());
  moreInput.addEventListener("blur", () => suggestions.hide());
  moreInput.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (suggestions.move(event.key === "ArrowDown" ? 1 : -1)) event.preventDefault();
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (!suggestions.acceptMarked()) submit();
    } else if (event.key === "Tab" && !event.shiftKey && suggestions.marked) {
      event.preventDefault();
      suggestions.acceptMarked();
    } else if (event.key === "Escape") cancel();
    else if (event.key === "Backspace" && moreInput.value === "") {
      event.preventDefault();
      const last = fields.at(-1);
      if (last) last.input.focus();
      else cancel(`/${entry.name}`);
    }
  });

  function submit() {
    const values = [];
    for (const field of fields) {
      const { option, input, box } = field;
      if (input.value === "" && !option.required) continue;
      const { value, error } = input.value === "" ? { error: `“${option.name}” is needed.` } : valueIn(field);
      if (error) {
        box.classList.add("wrong");
        note(error);
        input.focus();
        return;
      }
      values.push({ type: option.type, name: option.name, value });
    }
    if (moreInput.value.trim()) {
      note(`“${moreInput.value.trim()}” is no option of /${entry.name}. Choose one from the list, or remove it.`);
      moreInput.focus();
      return;
    }
    note("");
    suggestions.hide();
    run(tree(entry, values));
  }

  element.append(h("span", { class: "command-name" }, `/${entry.name}`), moreInput);
  const { lead, named } = typedOptions(typed, entry.options);
  // A value without a name is that of the first option; where that has one, it stays as text that is refused.
  if (lead && entry.options.length && !named.has(entry.options[0].name)) named.set(entry.options[0].name, lead);
  else moreInput.value = lead;
  for (const option of entry.options) if (option.required || named.has(option.name)) addField(option, named.get(option.name) ?? "");
  element.addEventListener("click", (event) => event.target === element && moreInput.focus());
  return { element, submit, focus: advance };
}
