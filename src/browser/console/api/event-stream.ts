import { createParser } from "eventsource-parser";
import { ApiFailure, ask } from "./client.ts";
import { invalidate } from "./queries.ts";

/** One event of a stream of server-sent events. */
export interface StreamEvent {
  id: string;
  /** `message` where the stream names none. */
  name: string;
  data: string;
}

/** How a stream stands. `lost` comes back by itself; `ended` does not. */
export type StreamState = "connecting" | "live" | "lost" | "ended";

interface Listener {
  event(event: StreamEvent): void;
  state(state: StreamState): void;
  /** The service refuses the stream for good. */
  failed(failure: ApiFailure): void;
  /** Whether this event is the stream's last, so that its end is no loss. */
  isLast?(event: StreamEvent): boolean;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;
/** Nothing for so long, heartbeats included, means that the connection is dead, ms. */
const SILENCE_MS = 45_000;
/** How often silence is checked, ms: by the clock, which keeps running while a laptop sleeps. */
const SILENCE_CHECK_MS = 5_000;
/** A connection that lasted so long was a good one, ms: the next is tried soon. */
const STABLE_AFTER_MS = 10_000;

/**
 * Reads a stream of the API as the signed-in user and comes back where it was lost, after the last event it had, so that
 * none is lost and none is repeated. An EventSource cannot send the credentials. @returns what ends it
 */
export function readEvents(path: string, listener: Listener, lastEventId = ""): () => void {
  const ended = new AbortController();
  let seen = lastEventId;
  let failures = 0;
  let isOver = false;

  async function connect(): Promise<void> {
    const connection = new AbortController();
    const end = () => connection.abort();
    ended.signal.addEventListener("abort", end);
    // The browser notices sooner than the connection does.
    addEventListener("offline", end);
    const began = Date.now();
    let lastDataAt = began;
    const silence = setInterval(() => Date.now() - lastDataAt > SILENCE_MS && end(), SILENCE_CHECK_MS);
    try {
      const headers = { accept: "text/event-stream", ...(seen && { "last-event-id": seen }) };
      const response = await ask(path, { headers, signal: connection.signal });
      // Nothing more will come: there is no stream to come back to.
      isOver ||= response.status === 204;
      if (isOver) return;
      listener.state("live");
      const parser = createParser({
        onEvent: ({ id, event, data }) => {
          const received: StreamEvent = { id: id ?? "", name: event ?? "message", data };
          if (ended.signal.aborted) return;
          if (received.id !== "" && received.id === seen) return;
          isOver ||= listener.isLast?.(received) ?? false;
          listener.event(received);
          // Noted once it is handed on: what was not comes again.
          if (received.id !== "") seen = received.id;
        },
      });
      const pieces = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (let piece = await pieces?.read(); piece?.value !== undefined; piece = await pieces?.read()) {
        lastDataAt = Date.now();
        if (lastDataAt - began > STABLE_AFTER_MS) failures = 0;
        parser.feed(piece.value);
      }
    } finally {
      clearInterval(silence);
      end();
      ended.signal.removeEventListener("abort", end);
      removeEventListener("offline", end);
    }
  }

  async function follow(): Promise<void> {
    listener.state("connecting");
    while (!ended.signal.aborted && !isOver) {
      try {
        await connect();
      } catch (error) {
        if (ended.signal.aborted) return;
        if (error instanceof ApiFailure && !error.passing && !error.ofSession) {
          listener.state("ended");
          listener.failed(error);
          return;
        }
      }
      if (ended.signal.aborted) return;
      if (isOver) break;
      listener.state("lost");
      // It may have ended because the user may see less now.
      void invalidate("session");
      await pause(Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++) * (0.5 + Math.random() / 2), ended.signal);
    }
    listener.state("ended");
  }

  void follow();
  return () => ended.abort();
}

/** Waits so long, ms, or until the browser is back online or nobody waits any more. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener("online", done);
    signal.addEventListener("abort", done, { once: true });
  });
}
