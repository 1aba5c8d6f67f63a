/** Puts the parts together and chooses whose window this is. */
import { Chat } from "./chat.js";
import { composer } from "./composer.js";
import { byId, toast } from "./dom.js";
import { messagePane } from "./messages.js";
import { modals } from "./modal.js";
import { sidebar } from "./sidebar.js";
import { connect } from "./socket.js";
import { topbar } from "./topbar.js";
import { closePopup } from "./popup.js";

const chat = new Chat();
const connectionLine = byId("connection");
let socket = null;

function become(person) {
  closePopup();
  socket?.close();
  chat.active = null;
  history.replaceState(null, "", `/?as=${encodeURIComponent(person)}`);
  socket = connect(person, { onMessage: (event) => chat.receive(event), onState: (state) => chat.connection(state) });
  chat.attach((object) => socket.send(object));
}

const top = topbar(chat, { become });
const pane = messagePane(chat, { begin: () => box.begin("/newgame"), switchPerson: () => top.openPeople() });
const box = composer(chat, { toBottom: () => pane.toBottom() });
sidebar(chat);
modals(chat);

chat.on("problem", toast);
chat.on("connection", () => {
  connectionLine.hidden = chat.connected;
  connectionLine.textContent = chat.connected ? "" : "The connection is lost. Trying again…";
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden || !chat.active) return;
  chat.markRead(chat.active);
  chat.tell("unread");
});

async function firstPerson() {
  const answer = await fetch("/page/people");
  const members = await answer.json();
  return members.find((member) => !member.bot)?.id ?? members[0].id;
}

become(new URLSearchParams(location.search).get("as") ?? (await firstPerson()));
