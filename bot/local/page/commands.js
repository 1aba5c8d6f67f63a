/** Typed slash commands: flattens subcommands, checks option values, builds Discord's option tree. */
import { counted } from "./dom.js";
import { nameOf } from "./people.js";

export const TYPE = { subcommand: 1, group: 2, string: 3, integer: 4, boolean: 5, user: 6, channel: 7, mentionable: 9, number: 10 };
const MAX_OPTION_LENGTH = 6000; // of a text, if its option sets no limit

/** Every runnable command: {command, path: [option], name: "group current", description, options}. */
export function flatten(commands) {
  return commands
    .filter((command) => (command.type ?? 1) === 1)
    .flatMap((command) => leaves(command, command, []))
    .sort((a, b) => a.name.localeCompare(b.name));
}

function leaves(command, node, path) {
  const inner = (node.options ?? []).filter((option) => option.type <= TYPE.group);
  if (inner.length) return inner.flatMap((option) => leaves(command, option, [...path, option]));
  const name = [command, ...path].map((part) => part.name).join(" ");
  return [{ command, path, name, description: node.description ?? "", options: node.options ?? [] }];
}

/** The option tree of an interaction: values wrapped in their subcommand and group. */
export function tree({ path }, values) {
  return path.reduceRight((inner, { type, name }) => [{ type, name, options: inner }], values);
}

/** The choices of an option that are known without the bot; null if it takes any text or the bot completes it. */
export function fixedChoices(option, chat) {
  if (option.choices?.length) return option.choices;
  switch (option.type) {
    case TYPE.boolean:
      return [{ name: "True", value: true }, { name: "False", value: false }];
    case TYPE.user:
    case TYPE.mentionable:
      return [...chat.members.values()].map((user) => ({ name: nameOf(user), value: user.id }));
    case TYPE.channel:
      return [...chat.channels.values()].filter((channel) => channel.name).map((channel) => ({ name: `#${channel.name}`, value: channel.id }));
    default:
      return null;
  }
}

/** Convert typed text to an option's value: {value} or {error}. */
export function valueOf(option, text, chat) {
  const fixed = fixedChoices(option, chat);
  if (fixed) {
    const wanted = text.trim().toLowerCase();
    const exact = fixed.find((choice) => choice.name.toLowerCase() === wanted || String(choice.value).toLowerCase() === wanted);
    const starting = fixed.filter((choice) => choice.name.toLowerCase().startsWith(wanted));
    const choice = exact ?? (starting.length === 1 ? starting[0] : null);
    const which = fixed.length === 1 ? "the only value" : `one of the ${fixed.length} values`;
    return choice ? { value: choice.value } : { error: `Choose ${which} of “${option.name}”.` };
  }
  if (option.type === TYPE.integer || option.type === TYPE.number) {
    const number = Number(text);
    const fits = text.trim() !== "" && Number.isFinite(number) && (option.type === TYPE.number || Number.isInteger(number));
    if (!fits) return { error: `“${option.name}” takes a ${option.type === TYPE.integer ? "whole " : ""}number.` };
    if (number < (option.min_value ?? -Infinity)) return { error: `“${option.name}” must be at least ${option.min_value}.` };
    if (number > (option.max_value ?? Infinity)) return { error: `“${option.name}” must be at most ${option.max_value}.` };
    return { value: number };
  }
  const minimum = option.min_length ?? 0;
  const maximum = option.max_length ?? MAX_OPTION_LENGTH;
  if (text.length < minimum) return { error: `“${option.name}” must have at least ${counted(minimum, "character")}.` };
  if (text.length > maximum) return { error: `“${option.name}” must have at most ${counted(maximum, "character")}.` };
  return { value: text };
}

/**
 * "from:north to:east" -> {lead: "", named: Map of option name to text}; `lead` is the text before the first name.
 * Only the names of `options` count, each once, so that other words with a colon stay text.
 */
export function typedOptions(text, options) {
  const named = new Map();
  const names = new Set(options.map((option) => option.name));
  const marks = [];
  for (const mark of text.matchAll(/(?<=^|\s)([-\w]+):\s*/g)) {
    const name = mark[1].toLowerCase();
    if (names.delete(name)) marks.push({ name, start: mark.index, end: mark.index + mark[0].length });
  }
  const lead = text.slice(0, marks[0]?.start).trim();
  marks.forEach((mark, at) => named.set(mark.name, text.slice(mark.end, marks[at + 1]?.start).trim()));
  return { lead, named };
}
