import { CallRefused, type Connection, type Listener } from "./sandbox-conversation.ts";

/** The close code of a connection that broke without one. */
const BROKEN = 1006;
/** Statuses of refusals that may be retried. */
const TRANSIENT = [408, 425, 429];

/** Connects to the built-in runtime at this address. @throws CallRefused, or another error if it cannot be reached */
export async function connectRuntime(
  service: Pick<Fetcher, "fetch">,
  runtimeUrl: string,
  listener: Listener,
): Promise<Connection> {
  const address = runtimeUrl.replace(/^ws/, "http");
  const response = await service.fetch(new Request(address, { headers: { upgrade: "websocket" } }));
  const { status, webSocket: socket } = response;
  if (!socket) {
    await response.body?.cancel();
    const message = `the runtime answered ${status}`;
    throw status < 500 && !TRANSIENT.includes(status) ? new CallRefused(message) : new Error(message);
  }
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") listener.received(data);
  });
  socket.addEventListener("close", ({ code }) => listener.closed(code));
  socket.addEventListener("error", () => listener.closed(BROKEN));
  socket.accept();
  return {
    // A connection that has just closed accepts no frames; its close event follows.
    send: (text) => quietly(() => socket.send(text)),
    close: () => quietly(() => socket.close(1000, "hung up")),
  };
}

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // The socket is already closed.
  }
}
