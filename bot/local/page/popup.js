/** What opens over the page: a popup beside its button, and a large picture. */
import { h, icon } from "./dom.js";

let current = null;

export function closePopup() {
  current?.();
}

function positionBeside(box, anchor) {
  if (matchMedia("(max-width: 640px)").matches) return; // the style sheet makes it a sheet at the bottom
  const anchorRect = anchor.getBoundingClientRect();
  const size = box.getBoundingClientRect();
  const below = anchorRect.bottom + 6;
  const top = below + size.height > innerHeight - 8 ? Math.max(8, anchorRect.top - size.height - 6) : below;
  box.style.top = `${top}px`;
  box.style.left = `${Math.max(8, Math.min(anchorRect.left, innerWidth - size.width - 8))}px`;
}

/** Show `content` beside `anchor` until a click elsewhere or Escape; `onClose(cancelled)`. */
export function openPopup(anchor, content, { onClose = () => {}, label = "", role = "dialog" } = {}) {
  closePopup();
  const box = h("div", { class: "popup", role, "aria-label": label }, content);
  const veil = h("div", { class: "veil" });
  const width = anchor.getBoundingClientRect().width;
  if (anchor.classList.contains("select")) box.style.minWidth = `${Math.min(width, innerWidth - 16)}px`;

  const close = (cancelled = false) => {
    current = null;
    box.remove();
    veil.remove();
    document.removeEventListener("keydown", handleKey, true);
    anchor.setAttribute("aria-expanded", "false");
    onClose(cancelled);
    if (anchor.isConnected) anchor.focus({ preventScroll: true });
  };
  const handleKey = (event) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      close(true);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      moveFocus(box, event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Tab") {
      event.preventDefault();
      moveFocus(box, event.shiftKey ? -1 : 1);
    }
  };
  veil.addEventListener("pointerdown", () => close());
  document.addEventListener("keydown", handleKey, true);
  document.body.append(veil, box);
  anchor.setAttribute("aria-expanded", "true");
  positionBeside(box, anchor);
  moveFocus(box, 1);
  current = close;
  return close;
}

/** Move the focus to the next or previous focusable element in the box. */
function moveFocus(box, by) {
  const focusable = [...box.querySelectorAll("button:not(:disabled), a[href], input, [tabindex]")];
  if (!focusable.length) return;
  const at = focusable.indexOf(document.activeElement);
  focusable[(at + by + focusable.length) % focusable.length].focus();
}

/** A menu of {label, detail?, icon?, checked?, danger?, run(), sideLink?: {label, href}} and "-" lines. */
export function openMenu(anchor, label, items) {
  const rows = items.map((item) => {
    if (item === "-") return h("hr");
    if (item instanceof Node) return item;
    if (typeof item === "string") return h("p", { class: "menu-head" }, item);
    const inside = [
      item.avatar ?? (item.icon ? icon(item.icon) : null),
      h("span", { class: "menu-text" }, item.label, item.detail ? h("small", {}, item.detail) : null),
      item.checked === undefined ? null : h("span", { class: `switch ${item.checked ? "on" : ""}`, "aria-hidden": "true" }),
    ];
    const run = () => {
      closePopup();
      item.run();
    };
    const role = item.checked === undefined ? "menuitem" : "menuitemcheckbox";
    const checked = item.checked === undefined ? null : String(item.checked);
    const button = h("button", { type: "button", class: `menu-item ${item.danger ? "danger" : ""}`, role, "aria-checked": checked, onclick: run }, inside);
    if (!item.sideLink) return button;
    const { label: name, href } = item.sideLink;
    const other = h("a", { class: "icon-button", role: "menuitem", href, target: "_blank", title: name, "aria-label": name, onclick: () => closePopup() }, icon("window"));
    return h("div", { class: "menu-row", role: "none" }, button, other);
  });
  return openPopup(anchor, rows, { label, role: "menu" });
}

/** A picture as large as the window allows, with its alt text under it. */
export function openPicture(path, alt) {
  const dialog = h(
    "dialog",
    { class: "lightbox", "aria-label": "Picture" },
    h("img", { src: path, alt }),
    alt ? h("p", {}, alt) : null,
    h("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => dialog.close() }, icon("close")),
  );
  dialog.addEventListener("click", (event) => event.target.closest("p, button") || dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
