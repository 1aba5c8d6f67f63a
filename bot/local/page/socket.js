/** One WebSocket to the stand-in, which reconnects when the connection is lost. */

const MAX_DELAY_MS = 4000;

/**
 * connect(person, {onMessage(object), onState("open"|"lost"|"refused")}) -> {send(object) -> bool, close()}.
 * The time between attempts grows from a quarter of a second to four seconds. "refused" is final: a server that
 * was started again has a new token, which only its new address contains.
 */
export function connect(person, { onMessage, onState }) {
  let socket = null;
  let delayMs = 250;
  let closed = false;
  let timer = 0;

  function open() {
    const address = new URL(`page/socket?as=${encodeURIComponent(person)}`, location.href);
    address.protocol = "ws:";
    socket = new WebSocket(address);
    let opened = false;
    socket.onopen = () => {
      opened = true;
      delayMs = 250;
      onState("open");
    };
    socket.onmessage = (event) => onMessage(JSON.parse(event.data));
    socket.onclose = async () => {
      if (closed) return;
      onState("lost");
      if (!opened && (await isRefused())) {
        if (!closed) onState("refused");
        return;
      }
      if (closed) return;
      timer = setTimeout(open, delayMs);
      delayMs = Math.min(delayMs * 1.7, MAX_DELAY_MS);
    };
  }

  // A socket does not tell why it could not open; a request does.
  async function isRefused() {
    try {
      return (await fetch("page/people", { cache: "no-store" })).status === 403;
    } catch {
      return false; // nobody answers: the server is away
    }
  }

  open();
  return {
    send(object) {
      if (socket.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(object));
      return true;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      socket.close();
    },
  };
}
