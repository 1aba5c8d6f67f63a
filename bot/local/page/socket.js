/** One WebSocket to the stand-in, which reconnects when the connection is lost. */

const MAX_DELAY_MS = 4000;

/**
 * connect(person, {onMessage(object), onState("open"|"lost")}) -> {send(object) -> bool, close()}.
 * The time between attempts grows from a quarter of a second to four seconds.
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
    socket.onopen = () => {
      delayMs = 250;
      onState("open");
    };
    socket.onmessage = (event) => onMessage(JSON.parse(event.data));
    socket.onclose = () => {
      if (closed) return;
      onState("lost");
      timer = setTimeout(open, delayMs);
      delayMs = Math.min(delayMs * 1.7, MAX_DELAY_MS);
    };
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
