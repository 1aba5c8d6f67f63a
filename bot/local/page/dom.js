/** Creates elements without markup strings: text that people write becomes text nodes only. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * h("button", {class: "x", onclick: f, "aria-label": "y"}, "text", child, null) -> element.
 * `on...` functions become listeners; true sets an empty attribute; false, null and undefined set none.
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** counted(1, "character") -> "1 character", counted(2, "character") -> "2 characters" */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const byId = (id) => document.getElementById(id);

const ICONS = {
  menu: "M3 6h18M3 12h18M3 18h18",
  close: "M6 6l12 12M18 6L6 18",
  send: "M4 12L20 4l-5 16-3-7zM12 13l8-9",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  down: "M6 9l6 6 6-6",
  plus: "M12 5v14M5 12h14",
  thread: "M7 4v10a3 3 0 0 0 3 3h9M15 13l4 4-4 4",
  lock: "M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z",
  storm: "M13 3L5 14h6l-1 7 8-11h-6z",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
  reply: "M5 19v-5a4 4 0 0 1 4-4h11M16 6l4 4-4 4",
  window: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  bin: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
};

/** A small line drawing that takes the colour of its text. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

export const dots = () => h("span", { class: "dots", "aria-label": "waiting" }, h("i"), h("i"), h("i"));

/** Return a web address that may become a link, else null: javascript: and data: stay text. */
export function webAddress(text) {
  try {
    const url = new URL(text);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
  } catch {
    return null;
  }
}

/** Return the path of a picture on this server, else null: the page loads nothing from elsewhere. */
export function picturePath(text) {
  try {
    const url = new URL(text, location.href);
    const files = new URL("cdn/", location.href);
    return url.pathname.startsWith(files.pathname) ? url.pathname + url.search : null;
  } catch {
    return null;
  }
}

/** Show a sentence for a few seconds; screen readers read it out. */
export function toast(text) {
  const note = h("p", { class: "toast" }, text);
  byId("toasts").append(note);
  setTimeout(() => note.remove(), 6000);
}
