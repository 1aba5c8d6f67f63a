/** The messages of one channel, scrolled to the bottom unless the person has scrolled up. */
import { FLAG, THREADS, DM } from "./chat.js";
import { component } from "./components.js";
import { byId, dots, h, icon } from "./dom.js";
import { markdown } from "./markdown.js";
import { notificationCard } from "./notifications.js";
import { avatar, botTag, nameOf } from "./people.js";
import { attachments, embed } from "./pictures.js";
import { openMenu } from "./popup.js";
import { clock } from "./when.js";

const GROUP_MS = 7 * 60 * 1000; // messages of one author within this time share a heading
const BOTTOM_PX = 60; // this near to the bottom counts as "at the bottom"
const SCROLL_MS = 1000; // scrolling within this time after a wheel, touch or key is the person's own
const SCROLL_KEYS = new Set(["PageUp", "PageDown", "ArrowUp", "ArrowDown", "Home", "End", " ", "Tab"]);
const COMMAND = 20;

export const namesOf = (chat) => ({
  user: (id) => (chat.user(id) ? nameOf(chat.user(id)) : null),
  channel: (id) => chat.channels.get(id)?.name ?? null,
  open: (channelId, messageId) => chat.open(channelId, messageId),
});

function commandLine(message, chat) {
  const user = message.interaction_metadata?.user ?? message.interaction?.user;
  const name = message.interaction?.name ?? message.interaction_metadata?.name ?? message.command;
  if (!user || !name || (message.type !== COMMAND && !message.local && !message.interaction)) return null;
  const known = chat.user(user.id) ?? user;
  return h("p", { class: "reply-line" }, icon("reply"), avatar(known, "tiny"), h("b", {}, nameOf(known)), " used ", h("span", { class: "mention" }, `/${name}`));
}

/** The text, with "(edited)" at the end of its last paragraph. */
function content(message, names, edited) {
  const nodes = markdown(message.content ?? "", names);
  if (edited && nodes.at(-1)?.tagName === "P") nodes.at(-1).append(edited);
  else if (edited) nodes.push(edited);
  return h("div", { class: "content markup" }, nodes);
}

function body(message, chat) {
  const context = { chat, message, names: namesOf(chat) };
  if (message.failed) return [h("p", { class: "failure" }, message.reason ?? "The application did not respond")];
  if (message.pending) return [h("p", { class: "thinking" }, dots(), " Sending command…")];
  if (message.flags & FLAG.loading) return [h("p", { class: "thinking" }, dots(), ` ${nameOf(message.author)} is thinking…`)];
  const rows = (message.components ?? []).map((data) => component(data, context));
  const isV2 = message.flags & FLAG.components;
  const edited = message.edited_timestamp ? h("span", { class: "edited", title: new Date(message.edited_timestamp).toLocaleString() }, "(edited)") : null;
  const failure = chat.failures.get(message.id);
  return [
    isV2 ? null : content(message, context.names, edited),
    ...(isV2 ? [] : attachments(message)),
    ...(isV2 ? [] : (message.embeds ?? []).map((data) => embed(data, message, context.names))),
    rows.length ? h("div", { class: `components ${isV2 ? "v2" : ""}` }, rows) : null,
    isV2 ? edited : null,
    failure ? h("p", { class: "failure", role: "alert" }, failure.text) : null,
  ];
}

function privateLine(message, chat) {
  if (!(message.flags & FLAG.ephemeral)) return null;
  const dismiss = () => {
    if (!message.local) chat.sendRequest("dismiss", { channel_id: message.channel_id, message_id: message.id });
    chat.removeMessage(message.channel_id, message.id);
  };
  return h("p", { class: "private-line" }, icon("eye"), "Only you can see this · ", h("button", { type: "button", class: "link", onclick: dismiss }, "Dismiss message"));
}

function menuButton(message, chat) {
  if (message.local || message.flags & FLAG.ephemeral) return null;
  const notificationItems = message.notification === undefined ? [] : ["On a lock screen", notificationCard(message, chat), "-"];
  const open = () =>
    openMenu(button, "Message", [
      ...notificationItems,
      { label: "Copy text", icon: "reply", run: () => navigator.clipboard?.writeText(message.content ?? "") },
      { label: "Delete message", detail: "as a moderator would", icon: "bin", danger: true, run: () => chat.sendRequest("delete_message", { channel_id: message.channel_id, message_id: message.id }) },
    ]);
  const button = h("button", { type: "button", class: "icon-button message-menu", "aria-haspopup": "menu", "aria-label": "Message menu", onclick: open }, icon("more"));
  return button;
}

function continuesGroup(message, before) {
  return (
    before && before.author.id === message.author.id && before.type === message.type && message.type !== COMMAND &&
    !message.interaction && !message.command &&
    Boolean(before.flags & FLAG.ephemeral) === Boolean(message.flags & FLAG.ephemeral) &&
    new Date(message.timestamp) - new Date(before.timestamp) < GROUP_MS
  );
}

function messageElement(message, before, chat) {
  const author = { ...message.author, ...chat.user(message.author.id) };
  const compact = continuesGroup(message, before);
  const classes = ["message", compact ? "compact" : "", message.flags & FLAG.ephemeral ? "ephemeral" : "", chat.pings(message) ? "pinging" : ""];
  const heading = compact ? null : h("p", { class: "heading" }, h("b", { class: "author" }, nameOf(author)), botTag(author), clock(message.timestamp));
  return h(
    "li",
    { class: classes.join(" "), "data-id": message.id },
    compact ? null : commandLine(message, chat),
    compact ? h("span", { class: "gutter" }, clock(message.timestamp, true)) : avatar(author),
    h("div", { class: "body" }, heading, body(message, chat), privateLine(message, chat)),
    menuButton(message, chat),
  );
}

function dayLine(message, before) {
  const day = new Date(message.timestamp).toDateString();
  if (before && new Date(before.timestamp).toDateString() === day) return null;
  return h("li", { class: "day", role: "separator" }, new Date(message.timestamp).toLocaleDateString(undefined, { dateStyle: "long" }));
}

/** The top of a channel: what it is, and in the lobby the first steps. */
function channelStart(chat, typeNewGame, switchPerson) {
  const channel = chat.channel();
  if (!channel) return [];
  if (channel.type === DM) {
    const partner = chat.partner(channel);
    return [avatar(partner, "huge"), h("h3", {}, nameOf(partner)), h("p", {}, `Direct messages between you and ${nameOf(partner)}. Nobody else sees them.`)];
  }
  const thread = THREADS.has(channel.type);
  const start = [
    h("span", { class: "start-mark", "aria-hidden": "true" }, thread ? icon("thread") : "#"),
    h("h3", {}, thread ? channel.name : `Welcome to #${channel.name}`),
    h("p", {}, thread ? "A thread for one game." : channel.topic || "This is the start of the channel."),
  ];
  if (channel.id !== chat.lobby()?.id) return start;
  const steps = [
    [h("button", { type: "button", class: "link strong", onclick: typeNewGame }, "Type /newgame"), " below and choose a game."],
    ["You have a seat then. Alone? ", h("b", {}, "Add Casual computer"), " fills another. ", h("b", {}, "Start"), " begins the game."],
    [h("button", { type: "button", class: "link strong", onclick: switchPerson }, "Switch person"), " (top right), or open another person's window, and press ", h("b", {}, "Join"), " as that person too."],
  ];
  return [...start, h("section", { class: "hint", "aria-label": "First steps" }, h("h4", {}, "Your first game"), h("ol", {}, steps.map((step) => h("li", {}, step))))];
}

export function messagePane(chat, { typeNewGame, switchPerson }) {
  const scroller = byId("scroller");
  const listElement = byId("messages");
  const latest = byId("to-latest");
  const log = byId("log");
  let sticking = true;

  const scrollToBottom = () => {
    scroller.scrollTop = scroller.scrollHeight;
  };
  const stick = () => {
    if (sticking) scrollToBottom();
  };
  // Pictures and edits move the text as well, so only scrolling by the person leaves the bottom.
  let lastScrollInput = -SCROLL_MS;
  const recordScrollInput = (event) => {
    const isOtherKey = event.type === "keydown" && !SCROLL_KEYS.has(event.key);
    const onControl = event.type === "pointerdown" && event.target !== scroller; // else it is the scroll bar
    if (!isOtherKey && !onControl) lastScrollInput = performance.now();
  };
  for (const type of ["wheel", "touchmove", "pointerdown", "keydown"]) scroller.addEventListener(type, recordScrollInput, { passive: true });
  scroller.addEventListener("scroll", () => {
    const near = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < BOTTOM_PX;
    if (near) latest.hidden = true;
    if (near || performance.now() - lastScrollInput < SCROLL_MS) sticking = near;
  });
  new ResizeObserver(stick).observe(listElement);
  new ResizeObserver(stick).observe(scroller);
  latest.addEventListener("click", () => {
    sticking = true;
    latest.hidden = true;
    scrollToBottom();
  });

  function drawAll() {
    const messages = chat.messagesOf(chat.active);
    log.setAttribute("aria-live", "off");
    byId("channel-start").replaceChildren(...channelStart(chat, typeNewGame, switchPerson));
    listElement.replaceChildren(
      ...messages.flatMap((message, at) => [dayLine(message, messages[at - 1]), messageElement(message, messages[at - 1], chat)]).filter(Boolean),
    );
    sticking = true;
    latest.hidden = true;
    scrollToBottom();
    // Screen readers read out new messages only, not a channel's history.
    setTimeout(() => log.setAttribute("aria-live", "polite"), 100);
  }

  const elementOf = (id) => listElement.querySelector(`:scope > li[data-id="${CSS.escape(id)}"]`);

  /** Draw one message again. */
  function redraw(id) {
    const messages = chat.messagesOf(chat.active);
    const at = messages.findIndex((message) => message.id === id);
    const old = elementOf(id);
    if (at < 0) return;
    const focused = old?.contains(document.activeElement) ? document.activeElement.dataset.customId : null;
    const opened = old ? [...old.querySelectorAll("figcaption")].map((text) => !text.hidden) : [];
    const element = messageElement(messages[at], messages[at - 1], chat);
    if (old) old.replaceWith(element);
    else {
      const day = dayLine(messages[at], messages[at - 1]);
      if (day) listElement.append(day);
      listElement.append(element);
    }
    element.querySelectorAll("figcaption").forEach((text, index) => {
      text.hidden = !opened[index];
    });
    if (focused) element.querySelector(`[data-custom-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  chat.on("message", ({ id, channel_id: channelId, deleted }) => {
    if (channelId !== chat.active) return;
    const isNew = !deleted && !elementOf(id);
    if (deleted) {
      const next = elementOf(id)?.nextElementSibling?.dataset.id;
      elementOf(id)?.remove();
      if (next) redraw(next);
    } else redraw(id);
    if (isNew && !sticking) latest.hidden = false;
    stick();
  });

  chat.on("opened", ({ messageId }) => {
    drawAll();
    const target = messageId && elementOf(messageId);
    if (!target) return;
    sticking = false;
    target.scrollIntoView({ block: "center" });
    target.classList.add("found");
    setTimeout(() => target.classList.remove("found"), 2500);
  });
  // A message may mention a thread that is created after it or was deleted.
  chat.on("channels", () => {
    for (const element of listElement.querySelectorAll("[data-mention]")) {
      element.textContent = `#${chat.channels.get(element.dataset.mention)?.name ?? "unknown"}`;
    }
  });
  chat.on("reset", drawAll);
  chat.on("people", drawAll);
  return { scrollToBottom: () => latest.click() };
}
