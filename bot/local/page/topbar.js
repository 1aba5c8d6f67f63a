/** The top bar: the channel, the person, and a menu that simulates problems. */
import { DM, THREADS } from "./chat.js";
import { byId, h, icon, toast } from "./dom.js";
import { avatar, nameOf } from "./people.js";
import { openMenu } from "./popup.js";

/** Permissions that the bot can lose in a channel: Discord's name, its bit, and a label. */
const PERMISSIONS = [
  ["VIEW_CHANNEL", 10n, "See this channel"],
  ["SEND_MESSAGES", 11n, "Send messages"],
  ["SEND_MESSAGES_IN_THREADS", 38n, "Send messages in threads"],
  ["CREATE_PUBLIC_THREADS", 35n, "Create threads"],
  ["EMBED_LINKS", 14n, "Embed links"],
  ["ATTACH_FILES", 15n, "Attach files"],
  ["READ_MESSAGE_HISTORY", 16n, "Read message history"],
];

export function topbar(chat, { switchTo }) {
  const personButton = byId("person-menu");
  const problemsButton = byId("problems-menu");
  const people = () => [...chat.members.values()].filter((user) => !user.bot);

  function openPeople() {
    openMenu(personButton, "You are", [
      "Switch person, or open another person's window",
      ...people().map((user) => ({
        label: nameOf(user),
        detail: user.id === chat.me.id ? "you are this person now" : undefined,
        avatar: avatar(user, "small"),
        run: () => switchTo(user.id),
        sideLink: { label: `Open ${nameOf(user)} in a new window`, href: `?${new URLSearchParams({ as: user.id, channel: chat.active })}` },
      })),
      "-",
      {
        label: "My DMs are closed",
        detail: "the bot cannot write to you privately",
        checked: chat.dmsClosed,
        run: () => {
          if (!chat.sendRequest("settings", { dms_closed: !chat.dmsClosed })) return;
          chat.dmsClosed = !chat.dmsClosed;
          chat.emit("settings");
        },
      },
    ]);
  }

  /** The names of the permissions that the bot does not have in this channel. */
  function deniedIn(channel) {
    const own = channel?.permission_overwrites?.find((overwrite) => overwrite.id === chat.bot().id);
    const bits = BigInt(own?.deny ?? 0);
    return PERMISSIONS.filter(([, bit]) => bits & (1n << bit)).map(([name]) => name);
  }

  function choosePermissions(channel) {
    const denied = deniedIn(channel);
    const boxes = PERMISSIONS.map(([name, , label]) => {
      const box = h("input", { type: "checkbox", checked: !denied.includes(name), name });
      return h("label", { class: "check" }, box, label);
    });
    const save = (event) => {
      event.preventDefault();
      const deny = [...form.querySelectorAll("input")].filter((box) => !box.checked).map((box) => box.name);
      chat.sendRequest("permissions", { channel_id: channel.id, deny });
      dialog.close();
    };
    const form = h("form", { onsubmit: save }, boxes, h("footer", {}, h("button", { type: "button", class: "button secondary", onclick: () => dialog.close() }, "Cancel"), h("button", { class: "button primary" }, "Save")));
    const dialog = h("dialog", { class: "modal", "aria-label": "The bot's permissions" }, h("h2", {}, `What the bot may do in #${channel.name}`), form);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  function openProblems() {
    const channel = chat.channel();
    const items = ["Simulate a problem"];
    if (channel && channel.type !== DM) {
      const { archived = false, locked = false } = channel.thread_metadata ?? {};
      const archive = (to) => () => chat.sendRequest("archive", { channel_id: channel.id, ...to });
      if (THREADS.has(channel.type)) {
        items.push(
          { label: archived ? "Unarchive this thread" : "Archive this thread", icon: "thread", run: archive({ archived: !archived, locked: false }) },
          { label: locked ? "Unlock this thread" : "Archive and lock it", icon: "lock", run: archive({ archived: !locked, locked: !locked }) },
        );
      } else items.push({ label: "The bot's permissions here…", icon: "lock", run: () => choosePermissions(channel) });
      items.push({
        label: THREADS.has(channel.type) ? "Delete this thread" : "Delete this channel",
        icon: "bin",
        danger: true,
        run: () => confirm(`Delete #${channel.name} and all its messages?`) && chat.sendRequest("delete_channel", { channel_id: channel.id }),
      });
    }
    items.push("-", chat.inServer
      ? { label: "Leave the server", detail: `as ${nameOf(chat.me)}; you can come back`, danger: true, icon: "window", run: () => chat.sendRequest("leave") && setInServer(false) }
      : { label: "Come back to the server", icon: "window", run: () => chat.sendRequest("rejoin") && setInServer(true) });
    items.push("-", h("p", { class: "menu-note" }, "To delete one message, use its ⋯ menu."));
    openMenu(problemsButton, "Simulate a problem", items);
  }

  function setInServer(inServer) {
    chat.inServer = inServer;
    chat.emit("channels");
    toast(inServer ? "You are back." : "You left the server. The same menu brings you back.");
  }

  function draw() {
    const channel = chat.channel();
    const thread = channel && THREADS.has(channel.type);
    const parent = thread ? chat.channels.get(channel.parent_id) : null;
    const title = !channel ? "No channel" : channel.type === DM ? `@${nameOf(chat.partner(channel))}` : thread ? channel.name : `#${channel.name}`;
    byId("channel-name").replaceChildren(thread ? icon("thread") : "", h("span", {}, title));
    byId("channel-note").textContent = parent ? `thread in #${parent.name}` : channel?.topic ?? "";
    const denied = deniedIn(channel);
    byId("main").dataset.denied = denied.join(" ");
    problemsButton.classList.toggle("at-work", denied.length > 0);
    personButton.replaceChildren(avatar(chat.me, "small"), h("span", {}, h("span", { class: "wide-only" }, "You are: "), h("b", {}, nameOf(chat.me))), icon("down"));
    personButton.setAttribute("aria-label", `You are ${nameOf(chat.me)}: switch person`);
  }

  problemsButton.append(icon("storm"));
  personButton.addEventListener("click", openPeople);
  problemsButton.addEventListener("click", openProblems);
  for (const topic of ["reset", "channels", "opened", "people"]) chat.on(topic, draw);
  return { openPeople };
}
