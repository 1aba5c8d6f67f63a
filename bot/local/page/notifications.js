/** Notifications as a phone's lock screen shows them: the sender, the place, and the text of `content` alone. */
import { DM } from "./chat.js";
import { byId, h } from "./dom.js";
import { avatar, nameOf } from "./people.js";
import { clock, withTimestamps } from "./when.js";

const SHOWN_MS = 6000;
const MAX_SHOWN = 2;

/** Return the card of a message's notification; without `content` it has no text, as on a phone. */
export function notificationCard(message, chat) {
  const author = chat.user(message.author.id) ?? message.author;
  const channel = chat.channels.get(message.channel_id);
  const place = !channel || channel.type === DM ? "" : ` · #${channel.name}`;
  const text = message.notification
    ? h("p", { class: "notification-text" }, withTimestamps(message.notification))
    : h("p", { class: "notification-text empty" }, "New message");
  return h("div", { class: "notification" }, avatar(author, "small"), h("div", {}, h("p", { class: "notification-head" }, h("b", {}, nameOf(author)), place, " ", clock(message.timestamp, true)), text));
}

/** Show a card for each message that notifies the person while its channel is not open. */
export function notifications(chat) {
  chat.on("notification", (message) => {
    const shown = notificationCard(message, chat);
    const list = byId("notifications");
    while (list.children.length >= MAX_SHOWN) list.firstElementChild.remove();
    list.append(shown);
    setTimeout(() => shown.remove(), SHOWN_MS);
  });
}
