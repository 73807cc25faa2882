import { createParser } from "eventsource-parser";
import { SwitchboardError } from "./errors.ts";

/** One event of a stream. */
export interface ServerEvent {
  id: string;
  /** `message` where the stream names none. */
  name: string;
  data: string;
}

/** How a stream is followed. */
export interface FollowOptions {
  signal?: AbortSignal | undefined;
  /** Begins after the event with this id. */
  lastEventId?: string | undefined;
  /** Whether this event is the stream's last, so that its end is no loss. */
  until?: ((event: ServerEvent) => boolean) | undefined;
  /** Called when the stream is open, and when it is lost and reconnects by itself. */
  onState?: ((state: "live" | "lost") => void) | undefined;
}

/** What a stream is followed with. */
export interface FollowDependencies {
  connect: (lastEventId: string, signal: AbortSignal) => Promise<Response>;
  /** Whether it is worth another try; by default what passes. */
  isPassing?: (error: unknown) => boolean;
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  random: () => number;
  /** Called with what ends the connection, which is then taken up again; gives what stops the watch. */
  watch?: (cut: () => void) => () => void;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;
/** A connection is dead if nothing arrives for this long, heartbeats included, ms. */
const SILENCE_MS = 45_000;
/** Silence is checked by the clock, which keeps running while a machine sleeps, ms. */
const SILENCE_CHECK_MS = 5_000;

const passes = (error: unknown) => (error instanceof SwitchboardError ? error.isPassing : true);

/**
 * The events of a stream, which is resumed where it was lost: none is lost and none is given twice. It ends with the
 * signal, or when the service says that nothing more comes (204). @throws what `connect` throws and does not pass
 */
export async function* follow(
  { connect, isPassing = passes, pause, random, watch }: FollowDependencies,
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
          // Stored after the event was passed on: an event that was not is sent again.
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

/** An event with its data, typed. */
export interface StreamEvent<Data> {
  /** Where to resume the stream; "" if it has no ids. */
  id: string;
  /** Its kind. */
  name: string;
  data: Data;
}

export async function* parsed<Data>(events: AsyncIterable<ServerEvent>): AsyncGenerator<StreamEvent<Data>, void> {
  for await (const { id, name, data } of events) yield { id, name, data: JSON.parse(data) as Data };
}
