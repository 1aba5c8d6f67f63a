/** A chosen command in the message box: one field for each option, with autocompletion. */
import { fixedChoices, TYPE, tree, typedOptions, valueOf } from "./commands.js";
import { h, icon } from "./dom.js";

const TYPING_PAUSE_MS = 120; // without a key before the bot is asked

/** commandForm(chat, entry, suggestions, {typed, run(options), cancel(), note(text)}) -> {element, submit, focus} */
export function commandForm(chat, entry, suggestions, { typed, run, cancel, note }) {
  const fields = [];
  const element = h("div", { class: "command", role: "group", "aria-label": `/${entry.name}` });
  const more = h("input", { class: "command-more", "aria-label": "More options; Enter runs the command", autocapitalize: "off", spellcheck: "false" });
  let requestNumber = 0;

  const absent = () => entry.options.filter((option) => !fields.some((field) => field.option === option));
  const nextEmpty = () => fields.find((field) => field.option.required && field.input.value === "");

  function valueIn(field) {
    const { input, picked, option } = field;
    if (picked && picked.name === input.value) return { value: picked.value };
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

  function propose(field, choices, first) {
    const { option, input } = field;
    const head = `${option.name}${option.required ? "" : " (optional)"} — ${option.description ?? ""}`;
    const items = choices.map((choice) => ({ label: choice.name, choice }));
    const hint = choices.length || input.value === "" ? head : `${head} · nothing fits “${input.value}”`;
    suggestions.show(input, items, { note: hint, first, pick: ({ choice }) => pick(field, choice) });
  }

  function pick(field, choice) {
    field.picked = choice;
    field.input.value = choice.name;
    fit(field);
    field.box.classList.remove("wrong");
    suggestions.hide();
    advance();
  }

  function advance() {
    (nextEmpty()?.input ?? more).focus();
  }

  async function ask(field, pause) {
    requestNumber += 1;
    const ownNumber = requestNumber;
    const fixed = fixedChoices(field.option, chat);
    if (fixed) {
      const wanted = field.picked ? "" : field.input.value.toLowerCase();
      propose(field, fixed.filter((choice) => choice.name.toLowerCase().includes(wanted)), 0);
      return;
    }
    if (!field.option.autocomplete) {
      propose(field, [], -1);
      return;
    }
    if (pause) await new Promise((resolve) => setTimeout(resolve, TYPING_PAUSE_MS));
    if (ownNumber !== requestNumber) return;
    if (!suggestions.open) propose(field, [], -1);
    const choices = await chat.autocomplete({
      channel_id: chat.active,
      command_id: entry.command.id,
      name: entry.command.name,
      options: tree(entry, optionsFor(field)),
    });
    if (ownNumber !== requestNumber || document.activeElement !== field.input) return;
    if (choices === null) suggestions.show(field.input, [], { note: "Loading options failed.", pick: () => {}, first: -1 });
    else propose(field, choices, 0);
  }

  const fit = ({ input }) => {
    input.size = Math.max(4, Math.min(40, input.value.length + 1));
  };

  function add(option, value = "") {
    const numeric = option.type === TYPE.integer || option.type === TYPE.number;
    const input = h("input", { "aria-label": option.name, inputmode: numeric ? "numeric" : null, autocapitalize: "off", spellcheck: "false", enterkeyhint: "next" });
    const remove = h("button", { type: "button", class: "remove", "aria-label": `Remove ${option.name}`, tabindex: "-1" }, icon("close"));
    const box = h("label", { class: "field", "data-option": option.name }, h("span", { class: "field-name" }, option.name), input, option.required ? null : remove);
    const field = { option, input, box, picked: null };
    input.value = value;
    fit(field);
    input.addEventListener("focus", () => ask(field, false));
    input.addEventListener("input", () => {
      if (takeNamed(input, option)) return;
      field.picked = null;
      box.classList.remove("wrong");
      fit(field);
      ask(field, true);
    });
    input.addEventListener("blur", () => {
      requestNumber += 1;
      suggestions.hide();
    });
    input.addEventListener("keydown", (event) => keys(event, field));
    remove.addEventListener("click", () => drop(field));
    fields.push(field);
    more.before(box);
    return field;
  }

  /**
   * Names of options typed out, "number: 2", become their fields, as on Discord; the text before them stays.
   * Return whether there was one. `own` is the option of the field that was typed in, null for the last field.
   */
  function takeNamed(input, own) {
    const isFilled = (option) => fields.some((field) => field.option === option && field.input.value !== "");
    const isOwnName = own !== null && input.value.trimStart().toLowerCase().startsWith(`${own.name}:`);
    const { lead, named } = typedOptions(input.value, entry.options.filter((option) => (option === own ? isOwnName : !isFilled(option))));
    if (!named.size) return false;
    input.value = named.get(own?.name) ?? lead;
    for (const option of entry.options.filter(({ name }) => named.has(name))) {
      const field = fields.find((other) => other.option === option) ?? add(option);
      field.input.value = named.get(option.name);
      fit(field);
    }
    const last = fields.find((field) => field.option.name === [...named.keys()].at(-1));
    last.picked = null;
    // The field may have the focus already; its list is of what was typed before.
    if (document.activeElement === last.input) ask(last, true);
    else last.input.focus();
    return true;
  }

  function drop(field) {
    fields.splice(fields.indexOf(field), 1);
    field.box.remove();
    suggestions.hide();
    more.focus();
  }

  function keys(event, field) {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (suggestions.move(event.key === "ArrowDown" ? 1 : -1)) event.preventDefault();
    } else if ((event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) && suggestions.marked) {
      event.preventDefault();
      // A value that was picked stays; Enter then moves to the next field.
      if (field.picked) advanceOrRun(event.key);
      else suggestions.acceptMarked();
    } else if (event.key === "Enter") {
      event.preventDefault();
      advanceOrRun(event.key);
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (suggestions.open) suggestions.hide();
      else cancel();
    } else if (event.key === "Backspace" && field.input.value === "") {
      event.preventDefault();
      const before = fields[fields.indexOf(field) - 1];
      if (!field.option.required) drop(field);
      else if (before) before.input.focus();
      else cancel(`/${entry.name}`);
    }
  }

  function advanceOrRun(key) {
    if (key === "Enter" && !nextEmpty()) submit();
    else advance();
  }

  function offerMore() {
    const text = more.value.trim().toLowerCase();
    const rest = absent().filter((option) => option.name.includes(text));
    const items = rest.map((option) => ({ label: option.name, detail: option.description, option }));
    const head = rest.length ? `/${entry.name} — Enter runs it; or add an option` : `/${entry.name} — ${entry.description} · Enter runs it`;
    suggestions.show(more, items, {
      note: head,
      first: text && items.length ? 0 : -1,
      pick: ({ option }) => {
        more.value = "";
        add(option).input.focus();
      },
    });
  }

  more.addEventListener("focus", offerMore);
  more.addEventListener("input", () => takeNamed(more, null) || offerMore());
  more.addEventListener("blur", () => suggestions.hide());
  more.addEventListener("keydown", (event) => {
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
    else if (event.key === "Backspace" && more.value === "") {
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
    if (more.value.trim()) {
      note(`“${more.value.trim()}” is no option of /${entry.name}. Choose one from the list, or remove it.`);
      more.focus();
      return;
    }
    note("");
    suggestions.hide();
    run(tree(entry, values));
  }

  element.append(h("span", { class: "command-name" }, `/${entry.name}`), more);
  const { lead, named } = typedOptions(typed, entry.options);
  // A value without a name is that of the first option; where that has one, it stays as text that is refused.
  if (lead && entry.options.length && !named.has(entry.options[0].name)) named.set(entry.options[0].name, lead);
  else more.value = lead;
  for (const option of entry.options) if (option.required || named.has(option.name)) add(option, named.get(option.name) ?? "");
  element.addEventListener("click", (event) => event.target === element && more.focus());
  return { element, submit, focus: advance };
}
