/**
 * Converts Discord's markdown, as far as bots use it, to nodes. Text becomes text nodes only.
 * `names` resolves ids: {user(id) -> string|null, channel(id) -> string|null, open(channelId, messageId)}.
 */
import { h, webAddress } from "./dom.js";
import { timestamp } from "./when.js";

const MAX_DEPTH = 10; // deeper nesting is shown as it was typed
const MESSAGE_LINK = /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(?:@me|\d+)\/(\d+)(?:\/(\d+))?$/;

/** A link: to a channel or message of this chat it opens here, else in a new tab. */
export function link(address, names, ...content) {
  const match = MESSAGE_LINK.exec(address);
  if (match) {
    const go = (event) => {
      event.preventDefault();
      names.open(match[1], match[2]);
    };
    return h("a", { href: "#", class: "link", onclick: go }, ...content);
  }
  return h("a", { href: address, class: "link", target: "_blank", rel: "noopener noreferrer nofollow" }, ...content);
}

/** A link to a web address; null for any other address, so that it stays text. */
const safeLink = (address, names, text) => {
  const safe = webAddress(address);
  return safe && link(safe, names, text ?? (MESSAGE_LINK.test(safe) ? messageLinkText(safe, names) : address));
};

const messageLinkText = (address, names) => {
  const [, channel, message] = MESSAGE_LINK.exec(address);
  return `#${names.channel(channel) ?? "unknown"}${message ? " › message" : ""}`;
};

const mention = (text, ...props) => h("span", { class: "mention", ...props[0] }, text);

const wrapped = (tag, props) => (match, names, depth) => h(tag, props ?? {}, inline(match[1], names, depth + 1));

/** Call `act` when an element that is no button is clicked, or Enter is pressed on it. */
function onPress(element, act) {
  element.addEventListener("click", act);
  element.addEventListener("keydown", (event) => event.key === "Enter" && act());
}

function channelMention([, id], names) {
  const name = names.channel(id) ?? "unknown";
  // no button: that would stand on lines of its own
  const chip = h("span", { class: "mention", role: "link", tabindex: "0", "data-mention": id }, `#${name}`);
  onPress(chip, () => names.open(id));
  return chip;
}

function spoiler(match, names, depth) {
  const box = h("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Hidden: press to show" });
  const show = () => {
    box.classList.add("open");
    box.removeAttribute("aria-label");
  };
  onPress(box, show);
  box.append(...inline(match[1], names, depth + 1));
  return box;
}

/** Tried in this order at each place; the first builder that returns a node wins. */
const RULES = [
  [/\\([^A-Za-z0-9\s])/y, (m) => document.createTextNode(m[1])],
  [/``(.+?)``(?!`)/ys, (m) => h("code", {}, m[1].trim())],
  [/`([^`]+)`/y, (m) => h("code", {}, m[1])],
  [/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, (m) => timestamp(Number(m[1]), m[2])],
  [/<@!?(\d{1,20})>/y, (m, names) => mention(`@${names.user(m[1]) ?? "unknown"}`)],
  [/<@&\d{1,20}>/y, () => mention("@role")],
  [/<#(\d{1,20})>/y, channelMention],
  [/<\/([-\w ]{1,100}):\d{1,20}>/y, (m) => mention(`/${m[1]}`)],
  [/<a?:(\w{1,32}):\d{1,20}>/y, (m) => document.createTextNode(`:${m[1]}:`)],
  [/<(https?:\/\/[^\s>]+)>/y, (m, names) => safeLink(m[1], names)],
  [/\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/y, (m, names, depth) => safeLink(m[2], names, h("span", {}, inline(m[1], names, depth + 1)))],
  [/https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]*_~|]/y, (m, names) => safeLink(m[0], names)],
  [/\*\*\*(.+?)\*\*\*/ys, (m, names, depth) => h("strong", {}, h("em", {}, inline(m[1], names, depth + 1)))],
  [/\*\*(.+?)\*\*(?!\*)/ys, wrapped("strong")],
  [/__(.+?)__(?!_)/ys, wrapped("u")],
  [/~~(.+?)~~/ys, wrapped("s")],
  [/\|\|(.+?)\|\|/ys, spoiler],
  [/\*(?!\s)([^*]+?)(?<!\s)\*(?!\*)/ys, wrapped("em")],
  [/(?<!\w)_([^_]+?)_(?!\w)/ys, wrapped("em")],
];
const SPECIAL = /[\\`<[h*_~|]/g;

/** Inline marks of one stretch of text, as an array of nodes. */
export function inline(text, names, depth = 0) {
  if (depth > MAX_DEPTH) return [document.createTextNode(text)];
  const nodes = [];
  let plainStart = 0;
  SPECIAL.lastIndex = 0;
  for (let found = SPECIAL.exec(text); found; found = SPECIAL.exec(text)) {
    const at = found.index;
    for (const [pattern, build] of RULES) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      const node = match && build(match, names, depth);
      if (!node) continue;
      if (at > plainStart) nodes.push(document.createTextNode(text.slice(plainStart, at)));
      nodes.push(node);
      plainStart = at + match[0].length;
      break;
    }
    // A builder may have parsed nested text with the same pattern object, so set where to continue.
    SPECIAL.lastIndex = Math.max(plainStart, at + 1);
  }
  if (plainStart < text.length) nodes.push(document.createTextNode(text.slice(plainStart)));
  return nodes;
}

const HEADING = /^(#{1,3}) +(.+)$/;
const SMALL = /^-# +(.+)$/;
const ITEM = /^( *)([-*]|\d{1,9}\.) +(.+)$/;
const FENCE = /^```(?:[\w+-]*\n)?\n?([\s\S]*?)\n?```(?:\n|$)/;

function list(lines, names) {
  const root = [];
  const open = [];
  for (const line of lines) {
    const [, indent, mark, text] = ITEM.exec(line);
    while (open.length && open.at(-1).indent > indent.length) open.pop();
    if (!open.length || open.at(-1).indent < indent.length) {
      const numbered = /\d/.test(mark);
      const element = h(numbered ? "ol" : "ul", { start: numbered && parseInt(mark, 10) });
      (open.at(-1)?.element.lastElementChild ?? { append: (x) => root.push(x) }).append(element);
      open.push({ indent: indent.length, element });
    }
    open.at(-1).element.append(h("li", {}, inline(text, names)));
  }
  return root;
}

function takeWhile(lines, from, test) {
  let to = from;
  while (to < lines.length && test(lines[to])) to += 1;
  return lines.slice(from, to);
}

function linesToNodes(text, names, inQuote) {
  const lines = text.split("\n");
  const nodes = [];
  let paragraph = [];
  const flush = () => {
    if (paragraph.join("").trim()) nodes.push(h("p", {}, inline(paragraph.join("\n").replace(/^\n+|\n+$/g, ""), names)));
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    const heading = HEADING.exec(line);
    const small = SMALL.exec(line);
    if (heading) {
      flush();
      nodes.push(h(`h${heading[1].length + 2}`, { class: `heading-${heading[1].length}` }, inline(heading[2], names)));
    } else if (small) {
      flush();
      nodes.push(h("small", {}, inline(small[1], names)));
    } else if (ITEM.test(line)) {
      flush();
      const items = takeWhile(lines, at, (next) => ITEM.test(next));
      nodes.push(...list(items, names));
      at += items.length - 1;
    } else if (!inQuote && line.startsWith(">>> ")) {
      flush();
      const rest = [line.slice(4), ...lines.slice(at + 1)].join("\n");
      nodes.push(h("blockquote", {}, linesToNodes(rest, names, true)));
      break;
    } else if (!inQuote && line.startsWith("> ")) {
      flush();
      const quote = takeWhile(lines, at, (next) => next.startsWith("> "));
      nodes.push(h("blockquote", {}, linesToNodes(quote.map((next) => next.slice(2)).join("\n"), names, true)));
      at += quote.length - 1;
    } else {
      paragraph.push(line);
    }
  }
  flush();
  return nodes;
}

/** A whole text with blocks, as an array of nodes. */
export function markdown(text, names) {
  const nodes = [];
  let rest = text;
  for (let start = rest.indexOf("```"); start >= 0; start = rest.indexOf("```")) {
    const fence = FENCE.exec(rest.slice(start));
    if (!fence) break;
    nodes.push(...linesToNodes(rest.slice(0, start), names, false), h("pre", {}, h("code", {}, fence[1])));
    rest = rest.slice(start + fence[0].length);
  }
  return [...nodes, ...linesToNodes(rest, names, false)];
}
