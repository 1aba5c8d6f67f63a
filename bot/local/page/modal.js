/** Modals of the bot: text inputs, selects, radio buttons and check boxes, in labels or rows. */
import { dots, h, icon } from "./dom.js";
import { markdown } from "./markdown.js";
import { namesOf } from "./messages.js";
import { nameOf } from "./people.js";

const TEXT = 4;
const PARAGRAPH = 2;

/** Return a control: {element, answer() -> its value as Discord sends it}. */
function control(data, chat, label) {
  return CONTROLS[data.type]?.(data, chat, label) ?? null;
}

function textInput(data, _chat, label) {
  const required = data.required !== false;
  const props = {
    name: data.custom_id, "aria-label": label, placeholder: data.placeholder, required, minlength: data.min_length, maxlength: data.max_length ?? 4000,
  };
  const element = data.style === PARAGRAPH ? h("textarea", { ...props, rows: "5" }) : h("input", props);
  element.value = data.value ?? "";
  return { element, required, answer: () => ({ type: TEXT, id: data.id, custom_id: data.custom_id, value: element.value }) };
}

function select(data, chat, label) {
  const people = () => [...chat.members.values()].map((user) => ({ value: user.id, label: nameOf(user) }));
  const channels = () => chat.guildChannels().map((channel) => ({ value: channel.id, label: `#${channel.name}` }));
  const options = { 5: people, 8: channels }[data.type]?.() ?? data.options ?? [];
  const required = data.required !== false;
  if ((data.max_values ?? 1) > 1) return choiceGroup({ ...data, options }, label, "checkbox", required);
  const empty = h("option", { value: "" }, data.placeholder ?? "Make a selection");
  const element = h(
    "select",
    { name: data.custom_id, "aria-label": label, required },
    empty,
    options.map((option) => h("option", { value: option.value, selected: option.default }, option.description ? `${option.label} – ${option.description}` : option.label)),
  );
  return { element, required, answer: () => ({ type: data.type, id: data.id, custom_id: data.custom_id, values: element.value === "" ? [] : [element.value] }) };
}

/** Radio buttons or check boxes, with Discord's minimum and maximum number of values. */
function choiceGroup(data, label, kind, required) {
  const rows = (data.options ?? []).map((option) => {
    const input = h("input", { type: kind, name: data.custom_id, value: option.value, checked: option.default, required: kind === "radio" && required });
    return [input, h("label", { class: "check" }, input, h("span", {}, option.label, option.description ? h("small", {}, option.description) : null))];
  });
  const element = h("fieldset", { "aria-label": label }, rows.map(([, row]) => row));
  const minimum = data.min_values ?? (required ? 1 : 0);
  const maximum = data.max_values ?? rows.length;
  const check = () => {
    const count = rows.filter(([input]) => input.checked).length;
    const fits = kind === "radio" || (count >= minimum && count <= maximum) || (count === 0 && !required);
    rows[0]?.[0].setCustomValidity(fits ? "" : minimum === maximum ? `Choose ${minimum}.` : `Choose ${minimum} to ${maximum}.`);
  };
  element.addEventListener("change", check);
  if (kind === "checkbox") check();
  const values = () => rows.filter(([input]) => input.checked).map(([input]) => input.value);
  const answer = () => {
    const base = { type: data.type, id: data.id, custom_id: data.custom_id };
    return kind === "radio" ? { ...base, value: values()[0] ?? null } : { ...base, values: values() };
  };
  return { element, required, answer };
}

function checkbox(data, _chat, label) {
  const element = h("input", { type: "checkbox", name: data.custom_id, checked: data.default, "aria-label": label });
  return { element, required: false, answer: () => ({ type: data.type, id: data.id, custom_id: data.custom_id, value: element.checked }) };
}

const CONTROLS = {
  3: select,
  4: textInput,
  5: select,
  8: select,
  21: (data, _chat, label) => choiceGroup(data, label, "radio", data.required !== false),
  22: (data, _chat, label) => choiceGroup(data, label, "checkbox", data.required !== false),
  23: checkbox,
};

/** A top-level part: a label (18), an old row (1) or text (10). */
function modalPart(data, chat) {
  if (data.type === 10) return { element: h("div", { class: "markup" }, markdown(data.content ?? "", namesOf(chat))), answer: () => ({ type: 10, id: data.id }) };
  const inner = data.type === 18 ? data.component : data.components?.[0];
  const label = data.label ?? inner?.label ?? "";
  const innerControl = inner && control(inner, chat, label);
  if (!innerControl) return { element: h("p", { class: "unknown" }, "[a part of this form is not shown here]"), answer: () => ({ type: data.type, id: data.id }) };
  const star = innerControl.required ? h("span", { class: "needed", title: "needed" }, " *") : null;
  const element = h("div", { class: "modal-part" }, h("p", { class: "modal-label" }, label, star), data.description ? h("small", {}, data.description) : null, innerControl.element);
  const answer = () => (data.type === 18 ? { type: 18, id: data.id, component: innerControl.answer() } : { type: 1, id: data.id, components: [innerControl.answer()] });
  return { element, answer };
}

export function modals(chat) {
  const outcomeHandlers = new Map(); // nonce of a submission -> what handles its outcome

  chat.on("interaction", ({ nonce, state, reason }) => {
    outcomeHandlers.get(nonce)?.(state, reason);
    outcomeHandlers.delete(nonce);
  });

  chat.on("modal", ({ interaction_id: interactionId, custom_id: customId, title, components }) => {
    const parts = components.map((data) => modalPart(data, chat));
    const failure = h("p", { class: "failure", role: "alert", hidden: true });
    const submit = h("button", { class: "button primary" }, "Submit");
    const cancel = h("button", { type: "button", class: "button secondary", onclick: () => dialog.close() }, "Cancel");
    const onsubmit = (event) => {
      event.preventDefault();
      if (submit.disabled) return;
      const nonce = chat.sendInteraction("submit", { channel_id: chat.active, interaction_id: interactionId, custom_id: customId, components: parts.map((each) => each.answer()) });
      if (!nonce) return;
      submit.disabled = true;
      submit.replaceChildren(dots());
      failure.hidden = true;
      outcomeHandlers.set(nonce, (state, reason) => {
        submit.disabled = false;
        submit.replaceChildren("Submit");
        failure.hidden = state !== "failed";
        failure.textContent = reason ?? "Something went wrong. Try again.";
        if (state === "done") dialog.close();
      });
    };
    const form = h("form", { onsubmit }, parts.map((each) => each.element), failure, h("footer", {}, cancel, submit));
    const close = h("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"));
    const dialog = h("dialog", { class: "modal", "aria-label": title }, h("header", {}, h("h2", {}, title), close), form);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    form.querySelector("input, textarea, select")?.focus();
  });
}
