import { type FollowDependencies, follow, type ServerEvent } from "../../../../packages/sdk/src/index.ts";
import { ApiFailure, transport } from "./client.ts";
import { invalidate } from "./queries.ts";

export type StreamEvent = ServerEvent;

/** The state of a stream. A `lost` stream reconnects by itself; an `ended` one doesn't. */
export type StreamState = "connecting" | "live" | "lost" | "ended";

interface Listener {
  event(event: StreamEvent): void;
  state(state: StreamState): void;
  /** Called when the service refuses the stream permanently. */
  failed(failure: ApiFailure): void;
  /** Whether this event is the stream's last, so that its end is not a lost connection. */
  isLast?(event: StreamEvent): boolean;
}

/**
 * Reads an event stream of the API as the signed-in user. After a lost connection it resumes after the last event, so
 * no event is lost or repeated. It replaces EventSource, which can't send the credentials. @returns a function that
 * ends the stream
 */
export function readEvents(path: string, listener: Listener, lastEventId = ""): () => void {
  const ended = new AbortController();
  const { signal } = ended;

  async function run(): Promise<void> {
    listener.state("connecting");
    const until = (event: StreamEvent) => listener.isLast?.(event) ?? false;
    try {
      for await (const event of follow(dependencies(path), { signal, lastEventId, onState, until })) {
        // Events arrive asynchronously, so the stream may have been ended meanwhile.
        if (signal.aborted) return;
        listener.event(event);
      }
    } catch (error) {
      listener.state("ended");
      // Any other error is a bug in the listener and must surface.
      if (!(error instanceof ApiFailure)) throw error;
      listener.failed(error);
      return;
    }
    if (!signal.aborted) listener.state("ended");
  }

  function onState(state: "live" | "lost"): void {
    listener.state(state);
    // The connection may have been closed because the user's permissions changed.
    if (state === "lost") void invalidate("session");
  }

  void run();
  return () => ended.abort();
}

const dependencies = (path: string): FollowDependencies => ({
  connect: (lastEventId, signal) => {
    const headers: Record<string, string> = lastEventId === "" ? {} : { "last-event-id": lastEventId };
    return transport.fetch("GET", path, { accept: "text/event-stream", headers, signal });
  },
  isPassing: (error) => !(error instanceof ApiFailure) || error.passing || error.ofSession,
  pause,
  random: Math.random,
  watch: (cut) => {
    // The browser notices that it is offline before the connection breaks.
    addEventListener("offline", cut);
    return () => removeEventListener("offline", cut);
  },
});

/** Waits this many ms, or until the browser is online again or the signal is aborted. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener("online", done);
    signal?.addEventListener("abort", done, { once: true });
  });
}
