import { createParser } from "eventsource-parser";
import { SwitchboardError } from "./errors.ts";

/** One event of a stream. */
export interface ServerEvent {
  id: string;
  /** `message` if the stream names none. */
  name: string;
  data: string;
}

export interface FollowOptions {
  signal?: AbortSignal | undefined;
  /** Begins after the event with this id. */
  lastEventId?: string | undefined;
  /** Checks whether this event is the stream's last, after which it does not reconnect. */
  until?: ((event: ServerEvent) => boolean) | undefined;
  /** Called when the stream is open, and when it is lost and reconnects. */
  onState?: ((state: "live" | "lost") => void) | undefined;
}

export interface FollowDependencies {
  connect: (lastEventId: string, signal: AbortSignal) => Promise<Response>;
  /** Checks whether to connect again after an error; by default, after transient ones. */
  isPassing?: (error: unknown) => boolean;
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  random: () => number;
  /**
   * Called with a function that breaks the connection so that it reconnects; returns a function that stops watching.
   */
  watch?: (cut: () => void) => () => void;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;
/** A connection counts as dead if nothing arrives for this long, heartbeats included, ms. */
const SILENCE_MS = 45_000;
/** How often silence is checked by the clock, which keeps running while a machine sleeps, ms. */
const SILENCE_CHECK_MS = 5_000;

const isTransient = (error: unknown) => (error instanceof SwitchboardError ? error.isPassing : true);

/**
 * Yields a stream's events exactly once, reconnecting after losses. Ends with the signal, or when the service has
 * nothing more to send (204). @throws errors of `connect` that are not transient
 */
export async function* follow(
  { connect, isPassing = isTransient, pause, random, watch }: FollowDependencies,
  { signal, lastEventId = "", onState, until }: FollowOptions = {},
): AsyncGenerator<ServerEvent, void> {
  let seen = lastEventId;
  let failures = 0;
  let isOver = false;
  let retryMs = FIRST_RETRY_MS;
  while (!signal?.aborted) {
    const connection = new AbortController();
    const cut = () => connection.abort();
    signal?.addEventListener("abort", cut);
    const unwatch = watch?.(cut);
    let lastDataAt = Date.now();
    const silence = setInterval(() => Date.now() - lastDataAt > SILENCE_MS && cut(), SILENCE_CHECK_MS);
    try {
      const response = await connect(seen, connection.signal);
      if (response.status === 204 || !response.body) return;
      onState?.("live");
      const received: ServerEvent[] = [];
      const parser = createParser({
        onEvent: ({ id, event, data }) => received.push({ id: id ?? "", name: event ?? "message", data }),
        onRetry: (ms) => {
          retryMs = Math.min(MAX_RETRY_MS, Math.max(1, ms));
        },
      });
      const decoder = new TextDecoder();
      const reader = response.body.getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        lastDataAt = Date.now();
        parser.feed(decoder.decode(piece.value, { stream: true }));
        for (const event of received.splice(0)) {
          if (signal?.aborted) return;
          if (event.id !== "" && event.id === seen) continue;
          failures = 0;
          isOver ||= until?.(event) ?? false;
          yield event;
          // Stored only after the event was passed on; otherwise the event is sent again.
          if (event.id !== "") seen = event.id;
        }
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!isOver && !isPassing(error)) throw error;
    } finally {
      clearInterval(silence);
      unwatch?.();
      signal?.removeEventListener("abort", cut);
      connection.abort();
    }
    if (signal?.aborted || isOver) return;
    onState?.("lost");
    const waitMs = Math.min(MAX_RETRY_MS, retryMs * 2 ** failures++) * (0.5 + random() / 2);
    await pause(waitMs, signal).catch(() => undefined);
  }
}

export interface StreamEvent<Data> {
  /** Where to resume the stream; "" if it has no ids. */
  id: string;
  name: string;
  data: Data;
}

export async function* parsed<Data>(events: AsyncIterable<ServerEvent>): AsyncGenerator<StreamEvent<Data>, void> {
  for await (const { id, name, data } of events) yield { id, name, data: JSON.parse(data) as Data };
}
