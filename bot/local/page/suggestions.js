/** The list above the message box: commands, choices, and what the bot suggests. */
import { byId, h } from "./dom.js";

/** A listbox that is controlled from the focused text field. */
export class Suggestions {
  #box = byId("suggestions");
  #items = [];
  #markedIndex = -1;
  #pick = () => {};
  #field = null;

  get open() {
    return !this.#box.hidden;
  }

  get marked() {
    return this.open ? this.#items[this.#markedIndex] ?? null : null;
  }

  /** items: [{label, detail?, required?}]; `note` stands above them; first = index marked at once or -1. */
  show(field, items, { note = null, pick, first = 0 }) {
    this.#items = items;
    this.#pick = pick;
    this.#field = field;
    this.#markedIndex = items.length ? first : -1;
    const rows = items.map((item, index) =>
      h(
        "div",
        {
          class: "suggestion",
          role: "option",
          id: `suggestion-${index}`,
          onpointerdown: (event) => event.preventDefault(), // the field keeps the focus
          onclick: () => this.#accept(index),
          onpointermove: () => this.#mark(index, false),
        },
        h("span", { class: "suggestion-label" }, item.label),
        item.detail ? h("span", { class: "suggestion-detail" }, item.detail) : null,
        item.required ? h("span", { class: "suggestion-aside" }, item.required) : null,
      ),
    );
    this.#box.replaceChildren(
      ...[note ? h("p", { class: "suggestion-note" }, note) : null, rows.length ? h("div", { role: "listbox", id: "suggestion-list", "aria-label": "Suggestions" }, rows) : null].filter(Boolean),
    );
    this.#box.hidden = !note && !rows.length;
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-expanded", String(rows.length > 0));
    field.setAttribute("aria-controls", "suggestion-list");
    this.#mark(this.#markedIndex, true);
  }

  hide() {
    this.#box.hidden = true;
    this.#items = [];
    this.#markedIndex = -1;
    this.#field?.setAttribute("aria-expanded", "false");
    this.#field?.removeAttribute("aria-activedescendant");
  }

  /** Handle an arrow key; true if the list used it. */
  move(by) {
    if (!this.open || !this.#items.length) return false;
    this.#mark((this.#markedIndex + by + this.#items.length) % this.#items.length, true);
    return true;
  }

  acceptMarked() {
    if (!this.marked) return false;
    this.#accept(this.#markedIndex);
    return true;
  }

  #accept(index) {
    const item = this.#items[index];
    if (item) this.#pick(item);
  }

  #mark(index, scroll) {
    this.#markedIndex = index;
    this.#box.querySelectorAll(".suggestion").forEach((row, other) => row.setAttribute("aria-selected", String(other === index)));
    const row = this.#box.querySelector(`#suggestion-${index}`);
    if (row) this.#field.setAttribute("aria-activedescendant", row.id);
    else this.#field?.removeAttribute("aria-activedescendant");
    if (row && scroll) row.scrollIntoView({ block: "nearest" });
  }
}
