/** Reading server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
import { EXIT, Failure } from "../kernel/failure.ts";

export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

/** The events of a response; ends with it. @throws Failure of the network, which may be tried again */
export async function* serverEvents(body: ReadableStream<Uint8Array> | null): AsyncGenerator<ServerEvent> {
  if (!body) return;
  let rest = "";
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new Failure(EXIT.unavailable, "connection_lost", "the connection was lost");
      });
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll("\r\n", "\n").split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** One block's event; null for a comment. */
export function eventOf(block: string): ServerEvent | null {
  const event: ServerEvent = { id: "", event: "message", data: "" };
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") data.push(value);
    else if (field === "id") event.id = value;
    else if (field === "event") event.event = value;
  }
  event.data = data.join("\n");
  return data.length > 0 ? event : null;
}
