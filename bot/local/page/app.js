/** Connects the parts of the page and chooses the person whose window this is. */
import { Chat } from "./chat.js";
import { composer } from "./composer.js";
import { byId, toast } from "./dom.js";
import { messagePane } from "./messages.js";
import { modals } from "./modal.js";
import { notifications } from "./notifications.js";
import { sidebar } from "./sidebar.js";
import { connect } from "./socket.js";
import { topbar } from "./topbar.js";
import { closePopup } from "./popup.js";

const chat = new Chat();
const connectionLine = byId("connection");
let socket = null;

function switchTo(person) {
  closePopup();
  socket?.close();
  socket = connect(person, { onMessage: (event) => chat.receive(event), onState: (state) => chat.setConnection(state) });
  chat.attach((object) => socket.send(object));
}

const top = topbar(chat, { switchTo });
const pane = messagePane(chat, { typeNewGame: () => messageBox.setText("/newgame"), switchPerson: () => top.openPeople() });
const messageBox = composer(chat, { scrollToBottom: () => pane.scrollToBottom() });
sidebar(chat);
modals(chat);
notifications(chat);

chat.on("problem", toast);
chat.on("connection", () => {
  connectionLine.hidden = chat.connected;
  connectionLine.textContent = chat.connected
    ? ""
    : chat.refused
      ? "Captain's Table was restarted. Open the address that it printed last. This window shows the chat from before."
      : "Connection lost. Reconnecting…";
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden || !chat.active) return;
  chat.markRead(chat.active);
  chat.emit("unread");
});

/** Keep the person and the open channel in the address, so that loading it again changes neither. */
function updateAddress() {
  history.replaceState(null, "", `?${new URLSearchParams({ as: chat.me.id, channel: chat.active ?? "" })}`);
}
for (const topic of ["reset", "opened"]) chat.on(topic, updateAddress);

/** Return the id of the person that the address names, else of the first one. */
async function initialPersonId() {
  const response = await fetch("page/people");
  const people = (await response.json()).filter((member) => !member.bot);
  const wanted = new URLSearchParams(location.search).get("as");
  return (people.find((member) => member.id === wanted) ?? people[0]).id;
}

chat.active = new URLSearchParams(location.search).get("channel");
switchTo(await initialPersonId());
