/** The message box: sends plain text, and runs a command after "/". */
import { DM, FLAG } from "./chat.js";
import { commandForm } from "./command_form.js";
import { flatten } from "./commands.js";
import { byId, counted, h, icon } from "./dom.js";
import { nameOf } from "./people.js";
import { Suggestions } from "./suggestions.js";

const MAX_MESSAGE_LENGTH = 2000;
const PENDING_DELAY_MS = 250; // before "Sending command…" shows: most answers are faster

export function composer(chat, { scrollToBottom }) {
  const body = byId("composer-body");
  const noteLine = byId("composer-note");
  const send = byId("send");
  const suggestions = new Suggestions();
  const text = h("textarea", { rows: "1", "aria-label": "Message", maxlength: MAX_MESSAGE_LENGTH, enterkeyhint: "send", "aria-autocomplete": "list" });
  const drafts = new Map();
  let form = null;
  let entries = [];

  const note = (words) => {
    noteLine.textContent = words;
  };
  const fitHeight = () => {
    text.style.height = "auto";
    text.style.height = `${Math.min(text.scrollHeight, 180)}px`;
  };

  function showTextBox(value = "", focus = true) {
    form = null;
    note("");
    suggestions.hide();
    body.replaceChildren(text);
    text.value = value;
    fitHeight();
    if (focus) text.focus();
    if (focus && value) suggestCommands();
  }

  function showForm(entry, typed = "") {
    suggestions.hide();
    form = commandForm(chat, entry, suggestions, { typed, note, cancel: showTextBox, run: (options) => run(entry, options) });
    body.replaceChildren(form.element);
    form.focus();
  }

  function run(entry, options) {
    const channelId = chat.active;
    const nonce = chat.sendInteraction("command", { channel_id: channelId, command_id: entry.command.id, name: entry.command.name, options }, { commandName: entry.name });
    if (!nonce) return;
    setTimeout(() => chat.waiting.has(nonce) && localMessage(nonce, channelId, entry.name, { pending: true }), PENDING_DELAY_MS);
    showTextBox();
    scrollToBottom();
  }

  /** A message that only this window has: a command that was sent, or one that failed. */
  function localMessage(nonce, channelId, name, state) {
    const author = chat.bot();
    chat.receive({
      type: "message",
      message: {
        id: nonce, channel_id: channelId, author, content: "", type: 0, flags: FLAG.ephemeral, local: true,
        timestamp: new Date().toISOString(), command: name, interaction_metadata: { user: chat.me }, ...state,
      },
    });
  }

  chat.on("interaction", ({ nonce, type, channel_id: channelId, commandName, state, reason }) => {
    if (type !== "command") return;
    if (state === "failed") localMessage(nonce, channelId, commandName, { failed: true, reason });
    else chat.removeMessage(channelId, nonce);
  });

  function suggestCommands() {
    const { value } = text;
    if (!value.startsWith("/") || value.includes("\n")) {
      suggestions.hide();
      return;
    }
    const query = value.slice(1).toLowerCase();
    const complete = entries.find((entry) => query.startsWith(`${entry.name} `));
    if (complete) {
      showForm(complete, value.slice(complete.name.length + 2));
      return;
    }
    const wanted = query.trim();
    const matches = entries.filter((entry) => entry.name.includes(wanted)).sort((a, b) => b.name.startsWith(wanted) - a.name.startsWith(wanted));
    suggestions.show(text, matches.map((entry) => ({
      label: `/${entry.name}`,
      detail: entry.description,
      required: entry.options.filter((option) => option.required).map((option) => option.name).join(" "),
      entry,
    })), { pick: ({ entry }) => showForm(entry), note: matches.length ? null : "There is no such command." });
  }

  function submit() {
    if (form) form.submit();
    else if (text.value.startsWith("/") && !text.value.includes("\n")) {
      if (!suggestions.open) suggestCommands(); // Escape or a tap elsewhere has closed the list
      suggestions.acceptMarked();
    }
    else if (text.value.trim() && chat.sendRequest("say", { channel_id: chat.active, content: text.value })) {
      showTextBox();
      scrollToBottom();
    }
  }

  text.addEventListener("input", () => {
    fitHeight();
    note(text.value.length > MAX_MESSAGE_LENGTH - 200 ? `${counted(MAX_MESSAGE_LENGTH - text.value.length, "character")} left` : "");
    suggestCommands();
  });
  text.addEventListener("blur", () => suggestions.hide());
  text.addEventListener("focus", suggestCommands);
  text.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (suggestions.move(event.key === "ArrowDown" ? 1 : -1)) event.preventDefault();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === "Tab" && !event.shiftKey && suggestions.marked) {
      event.preventDefault();
      suggestions.acceptMarked();
    } else if (event.key === "Escape") suggestions.hide();
  });
  byId("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  send.append(icon("send"));
  send.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus

  function updatePlaceholder() {
    const channel = chat.channel();
    const to = !channel ? "" : channel.type === DM ? `@${nameOf(chat.partner(channel))}` : channel.type === 0 ? `#${channel.name}` : channel.name;
    const locked = channel?.thread_metadata?.locked;
    text.placeholder = locked ? "This thread is locked" : `Message ${to}, or / for commands`;
    text.disabled = !channel || Boolean(locked) || !chat.connected;
  }

  let shownChannel = null;
  function changeChannel() {
    if (shownChannel !== chat.active) {
      if (shownChannel && !form) drafts.set(shownChannel, text.value);
      shownChannel = chat.active;
      // On a phone, focus would open the keyboard over the messages.
      showTextBox(drafts.get(shownChannel) ?? "", !matchMedia("(hover: none)").matches);
    }
    updatePlaceholder();
  }
  const updateEntries = () => {
    entries = flatten(chat.commands);
  };
  chat.on("reset", () => {
    updateEntries();
    changeChannel();
  });
  chat.on("commands", updateEntries);
  chat.on("opened", changeChannel);
  chat.on("channels", updatePlaceholder);
  chat.on("connection", updatePlaceholder);
  return { setText: (value) => showTextBox(value) };
}
