/** The sidebar: the server's channels with their threads, the person's direct messages, unread marks. */
import { DM, THREADS } from "./chat.js";
import { byId, h, icon } from "./dom.js";
import { avatar, nameOf } from "./people.js";

export function sidebar(chat) {
  const list = byId("channel-list");
  const drawer = byId("drawer");
  const shade = byId("shade");

  function setDrawerOpen(open) {
    document.body.classList.toggle("drawer-open", open);
    shade.hidden = !open;
    drawer.setAttribute("aria-expanded", String(open));
    drawer.setAttribute("aria-label", open ? "Hide channels" : "Show channels");
  }
  drawer.append(icon("menu"), h("span", { class: "drawer-dot", hidden: true }));
  drawer.addEventListener("click", () => setDrawerOpen(!document.body.classList.contains("drawer-open")));
  shade.addEventListener("click", () => setDrawerOpen(false));
  document.addEventListener("keydown", (event) => event.key === "Escape" && setDrawerOpen(false));

  function row(channel, mark, name) {
    const { count, pings } = chat.unreadCounts(channel.id);
    const current = channel.id === chat.active;
    const thread = THREADS.has(channel.type);
    const archived = channel.thread_metadata?.archived;
    const note = pings ? `, ${pings} for you` : count ? ", unread" : "";
    const go = () => {
      chat.open(channel.id);
      setDrawerOpen(false);
    };
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: `channel ${thread ? "thread" : ""} ${count && !current ? "unread" : ""} ${archived ? "archived" : ""}`,
          "aria-current": current && "page",
          "aria-label": `${name}${thread ? " (thread)" : ""}${note}`,
          "data-channel": channel.id,
          onclick: go,
        },
        mark,
        h("span", { class: "channel-label" }, name),
        archived ? h("small", {}, channel.thread_metadata.locked ? "locked" : "archived") : null,
        pings && !current ? h("span", { class: "pings" }, pings > 99 ? "99+" : String(pings)) : null,
        count && !pings && !current ? h("span", { class: "dot" }) : null,
      ),
    );
  }

  /** Only the bot can be written to, since all people here are one person in several windows. */
  function openDm() {
    const known = [...chat.channels.values()].find((channel) => channel.type === DM);
    if (known) chat.open(known.id);
    else isOpeningDm = chat.sendRequest("open_dm", { user_id: chat.bot().id });
  }
  let isOpeningDm = false;

  function draw() {
    byId("guild-name").textContent = chat.guild.name;
    const hash = (kind) => h("span", { class: "hash", "aria-hidden": "true" }, kind);
    const channels = chat.guildChannels().map((channel) => {
      const threads = chat.threadsOf(channel.id);
      const own = row(channel, hash("#"), channel.name);
      if (threads.length) own.append(h("ul", { class: "threads" }, threads.map((thread) => row(thread, hash(icon("thread")), thread.name))));
      return own;
    });
    const directs = chat.directChannels().map((channel) => {
      const partner = chat.partner(channel);
      return row(channel, avatar({ ...partner, ...chat.user(partner.id) }, "small"), nameOf(partner));
    });
    const plus = h("button", { type: "button", id: "new-dm", class: "icon-button", "aria-label": "Write to the bot", onclick: openDm }, icon("plus"));
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.channel : null;
    list.replaceChildren(
      h("h2", { class: "group" }, "Channels"),
      chat.inServer ? h("ul", { "aria-label": "Channels" }, channels) : h("p", { class: "quiet" }, "You are not in this server."),
      h("h2", { class: "group" }, "Direct messages", plus),
      directs.length ? h("ul", { "aria-label": "Direct messages" }, directs) : h("p", { class: "quiet" }, "None yet. The bot sends you private messages here, such as your hand."),
    );
    if (focused) list.querySelector(`[data-channel="${CSS.escape(focused)}"]`)?.focus();
    const total = [...chat.channels.keys()].reduce((sum, id) => sum + (id === chat.active && !document.hidden ? 0 : chat.unreadCounts(id).pings), 0);
    document.title = `${total ? `(${total}) ` : ""}${chat.me.id === "0" ? "" : `${nameOf(chat.me)} · `}${chat.guild.name || "Captain's Table"}`;
    drawer.querySelector(".drawer-dot").hidden = total === 0;
    byId("self").replaceChildren(avatar(chat.me, "small"), h("span", {}, nameOf(chat.me)), chat.dmsClosed ? h("small", {}, "DMs closed") : "");
  }

  for (const topic of ["reset", "channels", "opened", "unread", "people", "settings"]) chat.on(topic, draw);
  chat.on("channels", (channel) => {
    if (!isOpeningDm || channel?.type !== DM) return;
    isOpeningDm = false;
    chat.open(channel.id);
  });
}
