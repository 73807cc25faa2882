import { CallRefused, type Connection, type Listener } from "./sandbox-conversation.ts";

/** How a connection closes of which no close was heard. */
const BROKEN = 1006;
/** Refusals that are worth another try. */
const PASSING = [408, 425, 429];

/** Connects to the runtime at this address of the service's own. @throws CallRefused, and where it cannot be reached */
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
    throw status < 500 && !PASSING.includes(status) ? new CallRefused(message) : new Error(message);
  }
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") listener.heard(data);
  });
  socket.addEventListener("close", ({ code }) => listener.closed(code));
  socket.addEventListener("error", () => listener.closed(BROKEN));
  socket.accept();
  return {
    // One that has just closed takes nothing more: its close is told right after.
    send: (text) => quietly(() => socket.send(text)),
    close: () => quietly(() => socket.close(1000, "hung up")),
  };
}

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // Closed already.
  }
}
