import { setTimeout as sleep } from "node:timers/promises";

/** One message of a server-sent event stream. */
export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

/** A line of an event stream that changes how to reconnect instead of saying something. */
type Parsed = ServerEvent | { retry: number };

/**
 * Cuts an event stream into messages, whatever the chunks (WHATWG HTML, 9.2.6). An id holds until another one comes.
 */
export class EventParser {
  #rest = "";
  #id: string;
  #event = "";
  #data: string[] = [];

  /** @param lastId the last id of the stream before it broke off, which holds on */
  constructor(lastId = "") {
    this.#id = lastId;
  }

  *push(text: string): Generator<Parsed> {
    this.#rest += text;
    // A line break may be CR LF cut in two: a CR at the very end waits for what follows.
    for (let end = this.#lineEnd(); end; end = this.#lineEnd()) {
      const line = this.#rest.slice(0, end.at);
      this.#rest = this.#rest.slice(end.next);
      const parsed = this.#line(line);
      if (parsed) yield parsed;
    }
  }

  #lineEnd(): { at: number; next: number } | undefined {
    const found = /\r\n|\n|\r(?!$)/.exec(this.#rest);
    return found ? { at: found.index, next: found.index + found[0].length } : undefined;
  }

  #line(line: string): Parsed | undefined {
    if (line === "") return this.#dispatch();
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
    else if (field === "id") this.#id = value;
    else if (field === "retry" && /^\d+$/.test(value)) return { retry: Number(value) };
    return undefined;
  }

  #dispatch(): ServerEvent | undefined {
    const message = { id: this.#id, event: this.#event || "message", data: this.#data.join("\n") };
    const empty = this.#data.length === 0;
    this.#event = "";
    this.#data = [];
    return empty ? undefined : message;
  }
}

/** The messages of one response's body as they come, and what it says about reconnecting. */
export async function* parsedBody(body: AsyncIterable<Uint8Array>, lastId = ""): AsyncGenerator<Parsed> {
  const parser = new EventParser(lastId);
  const decoder = new TextDecoder();
  for await (const chunk of body) yield* parser.push(decoder.decode(chunk, { stream: true }));
}

/**
 * The messages of a stream for as long as somebody reads them. A lost connection is taken up again where it broke off.
 * @throws Error when the server refuses the stream
 */
export async function* events(url: string, headers: Record<string, string>): AsyncGenerator<ServerEvent> {
  let [lastId, retry] = ["", 1_000];
  while (true) {
    const leaving = new AbortController();
    try {
      const resume: Record<string, string> = lastId === "" ? {} : { "last-event-id": lastId };
      const response = await fetch(url, { headers: { ...headers, ...resume }, signal: leaving.signal });
      if (!response.ok || !response.body) throw new Error(`${url}: ${response.status} ${await response.text()}`);
      for await (const parsed of parsedBody(response.body, lastId)) {
        if ("retry" in parsed) {
          retry = parsed.retry;
          continue;
        }
        lastId = parsed.id;
        yield parsed;
      }
    } catch (error) {
      // A broken connection is a TypeError of fetch's; anything else is not for us to mend.
      if (!(error instanceof TypeError)) throw error;
    } finally {
      leaving.abort();
    }
    await sleep(retry);
  }
}
