/** Times of messages and Discord's <t:unix:style> timestamps, kept up to date. */
import { h } from "./dom.js";

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};
const UNITS = [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const formats = Object.fromEntries(
  Object.entries(STYLES).map(([style, options]) => [style, new Intl.DateTimeFormat(undefined, options)]),
);
const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

function relativeText(seconds) {
  const distance = seconds - Date.now() / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(distance) >= size) ?? ["second", 1];
  return relativeFormat.format(Math.round(distance / length), unit);
}

/** Return <t:unix:style> as an element, kept up to date for `R`; null if out of range. */
export function timestamp(seconds, style = "f") {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return null;
  const text = style === "R" ? relativeText(seconds) : formats[style].format(date);
  return h(
    "time",
    { class: "timestamp", datetime: date.toISOString(), title: formats.F.format(date), "data-relative": style === "R" && seconds },
    text,
  );
}

/** Return plain text with its <t:unix:style> marks as times: strings and elements. */
export function withTimestamps(text) {
  return text.split(/(<t:-?\d{1,13}(?::[tTdDfFR])?>)/).map((part) => {
    const mark = part.match(/^<t:(-?\d+)(?::(\w))?>$/);
    return (mark && timestamp(Number(mark[1]), mark[2])) ?? part;
  });
}

setInterval(() => {
  for (const element of document.querySelectorAll("time[data-relative]")) {
    const text = relativeText(Number(element.dataset.relative));
    if (element.textContent !== text) element.textContent = text;
  }
}, 1000);

/** The time of a message: "14:03" for today, else with the date. */
export function clock(iso, short = false) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return null;
  const today = date.toDateString() === new Date().toDateString();
  const text = formats.t.format(date);
  return h(
    "time",
    { class: "clock", datetime: iso, title: formats.F.format(date) },
    short || today ? text : `${formats.d.format(date)} ${text}`,
  );
}
