/**
 * The state of this window: members, channels, messages, unread marks, and interactions without a response.
 * It changes only by events of the server (`receive`) and by what the person does. Views listen to its topics:
 * reset, people, commands, channels, opened, unread, message {id, channel_id, deleted}, notification, connection,
 * modal, interaction, settings, problem.
 */

export const FLAG = { ephemeral: 1 << 6, loading: 1 << 7, components: 1 << 15 };
export const THREADS = new Set([10, 11, 12]);
export const DM = 1;
const isLater = (a, b) => BigInt(a) > BigInt(b);

export class Chat extends EventTarget {
  me = { id: "0" };
  guild = { id: "0", name: "" };
  members = new Map();
  channels = new Map();
  messages = new Map();
  commands = [];
  dmsClosed = false;
  connected = false;
  refused = false;
  inServer = true;
  active = null;
  /** nonce -> the interaction that was sent, until the server reports it as done or failed */
  waiting = new Map();
  /** message id -> the control that failed last: {custom_id, text} */
  failures = new Map();
  #choiceResolvers = new Map();
  #send = () => false;
  #requestCount = 0;

  attach(send) {
    this.#send = send;
  }

  on(topic, listener) {
    this.addEventListener(topic, (event) => listener(event.detail));
  }

  emit(topic, detail) {
    this.dispatchEvent(new CustomEvent(topic, { detail }));
  }

  // ---- events of the server

  receive(event) {
    const handler = this.#handlers[event.type];
    if (handler) handler(event);
    else console.warn("unknown event", event.type);
  }

  #handlers = {
    hello: (event) => this.#hello(event),
    people: ({ members }) => {
      this.members = new Map(members.map((user) => [user.id, user]));
      this.dmsClosed = this.user(this.me.id)?.dms_closed ?? this.dmsClosed;
      this.emit("people");
    },
    commands: ({ commands }) => {
      this.commands = commands;
      this.emit("commands");
    },
    channel: ({ channel }) => {
      this.channels.set(channel.id, channel);
      this.emit("channels", channel);
    },
    channel_delete: ({ id }) => {
      this.channels.delete(id);
      this.messages.delete(id);
      for (const [other, channel] of this.channels) if (channel.parent_id === id) this.channels.delete(other);
      if (!this.channels.has(this.active)) this.open(this.firstChannel());
      this.emit("channels");
    },
    message: ({ message }) => {
      this.#storeMessage(message);
      if (this.active === message.channel_id) this.markRead(message.channel_id);
      this.emit("message", message);
      this.emit("unread");
      if (message.notification !== undefined && (document.hidden || this.active !== message.channel_id)) this.emit("notification", message);
    },
    message_update: ({ message }) => {
      // One from before the history that this window has would stand below newer ones.
      if (!this.messagesOf(message.channel_id).some((other) => other.id === message.id)) return;
      this.#storeMessage(message);
      this.failures.delete(message.id);
      this.emit("message", message);
    },
    message_delete: ({ id, channel_id }) => this.removeMessage(channel_id, id),
    autocomplete: ({ nonce, choices }) => {
      this.#choiceResolvers.get(nonce)?.(choices);
      this.#choiceResolvers.delete(nonce);
    },
    interaction: (event) => this.#updateInteraction(event),
    modal: (event) => {
      this.#updateInteraction({ nonce: event.nonce, state: "done" });
      this.emit("modal", event);
    },
  };

  #hello(event) {
    const isOther = this.me.id !== event.me.id;
    const earlierMessages = isOther ? new Map() : this.messages;
    const wasDirect = this.channel()?.type === DM;
    this.me = event.me;
    this.guild = event.guild;
    this.members = new Map(event.members.map((user) => [user.id, user]));
    this.channels = new Map(event.channels.map((channel) => [channel.id, channel]));
    this.commands = event.commands;
    this.dmsClosed = event.me.dms_closed;
    this.messages = new Map(Object.entries(event.messages).map(([id, list]) => [id, [...list]]));
    for (const [id, list] of this.messages) {
      list.sort((a, b) => (isLater(a.id, b.id) ? 1 : -1));
      list.push(...(earlierMessages.get(id) ?? []).filter((message) => message.failed));
    }
    this.inServer = event.me.is_member ?? true;
    this.waiting.clear();
    if (isOther) this.failures.clear();
    if (!this.channels.has(this.active)) this.active = (wasDirect && this.directChannels()[0]?.id) || this.firstChannel();
    this.markRead(this.active);
    this.emit("reset");
  }

  #storeMessage(message) {
    const list = this.messages.get(message.channel_id) ?? [];
    const at = list.findIndex((other) => other.id === message.id);
    if (at >= 0) list[at] = message;
    else list.push(message);
    this.messages.set(message.channel_id, list);
  }

  removeMessage(channelId, id) {
    const list = this.messages.get(channelId) ?? [];
    this.messages.set(channelId, list.filter((message) => message.id !== id));
    this.failures.delete(id);
    this.emit("message", { id, channel_id: channelId, deleted: true });
    this.emit("unread");
  }

  #updateInteraction({ nonce, state, reason }) {
    const sent = this.waiting.get(nonce);
    if (state === "failed" && this.#choiceResolvers.has(nonce)) this.#choiceResolvers.get(nonce)(null);
    if (state === "failed" && !nonce) this.emit("problem", reason);
    if (!sent || state === "waiting") return;
    this.waiting.delete(nonce);
    if (state === "failed" && sent.message_id) {
      this.failures.set(sent.message_id, { custom_id: sent.custom_id, text: reason ?? "This interaction failed" });
    }
    if (sent.message_id) this.emit("message", { id: sent.message_id, channel_id: sent.channel_id });
    this.emit("interaction", { ...sent, nonce, state, reason });
  }

  setConnection(state) {
    this.connected = state === "open";
    this.refused = state === "refused";
    if (!this.connected) {
      for (const nonce of [...this.waiting.keys()]) this.#updateInteraction({ nonce, state: "failed", reason: "The connection was lost before the bot responded." });
    }
    this.emit("connection");
  }

  // ---- actions of the person

  /** Send a request; return whether the connection took it. */
  sendRequest(type, fields = {}) {
    const isSent = this.#send({ type, ...fields });
    if (!isSent) this.emit("problem", "Not connected. This was not sent.");
    return isSent;
  }

  /** Send an interaction. The topic "interaction" reports its outcome, with the fields and `local`. */
  sendInteraction(type, fields, local = {}) {
    const nonce = this.#nonce();
    if (!this.sendRequest(type, { nonce, ...fields })) return null;
    this.waiting.set(nonce, { type, ...fields, ...local });
    if (fields.message_id) {
      this.failures.delete(fields.message_id);
      this.emit("message", { id: fields.message_id, channel_id: fields.channel_id });
    }
    return nonce;
  }

  /** Ask the bot for the choices of an option; null if it does not respond within three seconds. */
  autocomplete(fields) {
    const nonce = this.#nonce();
    if (!this.#send({ type: "autocomplete", nonce, ...fields })) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#choiceResolvers.set(nonce, resolve);
      setTimeout(() => this.#choiceResolvers.delete(nonce) && resolve(null), 3500);
    });
  }

  #nonce() {
    this.#requestCount += 1;
    return `${Date.now()}${String(this.#requestCount).padStart(5, "0")}`;
  }

  isWaiting(messageId, customId) {
    for (const sent of this.waiting.values()) {
      if (sent.message_id === messageId && sent.custom_id === customId) return true;
    }
    return false;
  }

  open(channelId, messageId = null) {
    if (!this.channels.has(channelId)) {
      if (channelId) this.emit("problem", "This channel was deleted, or you cannot see it.");
      return;
    }
    this.active = channelId;
    this.markRead(channelId);
    this.emit("opened", { messageId });
    this.emit("unread");
  }

  // ---- queries of views

  user = (id) => this.members.get(id) ?? null;
  bot = () => [...this.members.values()].find((user) => user.bot) ?? { id: "0", username: "Bot", bot: true };
  channel = () => this.channels.get(this.active) ?? null;
  messagesOf = (id) => this.messages.get(id) ?? [];
  guildChannels = () => [...this.channels.values()].filter((channel) => channel.type !== DM && !THREADS.has(channel.type));
  threadsOf = (id) => [...this.channels.values()].filter((channel) => THREADS.has(channel.type) && channel.parent_id === id);
  /** Direct messages are listed once they contain a message, or while they are open. */
  directChannels = () =>
    [...this.channels.values()].filter((channel) => channel.type === DM && (channel.id === this.active || this.messagesOf(channel.id).length > 0));
  /** The other side of a direct message. The server lists only the person, so the other one is the bot. */
  partner = (channel) => channel.recipients?.find((user) => user.id !== this.me.id) ?? this.bot();
  lobby = () => this.guildChannels().find((channel) => channel.name === "lobby") ?? this.guildChannels()[0];
  firstChannel = () => this.lobby()?.id ?? this.directChannels()[0]?.id ?? null;

  // ---- unread marks, kept by this browser for each person

  #readKey = (channelId) => `read:${this.guild.id}:${this.me.id}:${channelId}`;

  markRead(channelId) {
    if (document.hidden) return; // app.js marks it once the window is seen again
    const last = this.messagesOf(channelId).findLast((message) => !message.local);
    if (last) localStorage.setItem(this.#readKey(channelId), last.id);
  }

  /** {count, pings}: messages of others since this person last looked. */
  unreadCounts(channelId) {
    const read = localStorage.getItem(this.#readKey(channelId)) ?? "0";
    const unread = this.messagesOf(channelId).filter((message) => !message.local && message.author.id !== this.me.id && isLater(message.id, read));
    const isDirect = this.channels.get(channelId)?.type === DM;
    return { count: unread.length, pings: isDirect ? unread.length : unread.filter((message) => this.pings(message)).length };
  }

  pings = (message) => Boolean(message.mentions?.some((user) => user.id === this.me.id));
}
