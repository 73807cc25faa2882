import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";

export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

/** A message, or the delay before reconnecting, ms. */
type Parsed = ServerEvent | { retry: number };

/** Parses an event stream in any chunks. An id applies until the next one. */
export class EventParser {
  #parsed: Parsed[] = [];
  readonly #parser;

  /** @param id the last id of the stream before it was interrupted. It still applies */
  constructor(id = "") {
    let last = id;
    this.#parser = createParser({
      onEvent: ({ id = last, event = "message", data }) => {
        last = id;
        this.#parsed.push({ id, event, data });
      },
      onRetry: (retry) => this.#parsed.push({ retry }),
    });
  }

  /** Adds a chunk and returns the messages that it completes. */
  push(text: string): Parsed[] {
    this.#parsed = [];
    this.#parser.feed(text);
    return this.#parsed;
  }
}

/** Yields the messages of a response's body as they arrive, and its reconnection delay. */
export async function* parsedBody(body: AsyncIterable<Uint8Array>, lastId = ""): AsyncGenerator<Parsed> {
  const parser = new EventParser(lastId);
  const decoder = new TextDecoder();
  for await (const chunk of body) yield* parser.push(decoder.decode(chunk, { stream: true }));
}

/**
 * Yields the messages of a stream. Resumes a lost connection where it was interrupted.
 * @throws Error if the server refuses the stream
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
      // `fetch` throws a TypeError for a broken connection. No other error can be solved by a retry.
      if (!(error instanceof TypeError)) throw error;
    } finally {
      leaving.abort();
    }
    await sleep(retry);
  }
}
