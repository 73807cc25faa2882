import { type FollowDependencies, follow, type ServerEvent } from "../../../../packages/sdk/src/index.ts";
import { ApiFailure, transport } from "./client.ts";
import { invalidate } from "./queries.ts";

/** One event of a stream of server-sent events. */
export type StreamEvent = ServerEvent;

/** How a stream stands. `lost` comes back by itself; `ended` does not. */
export type StreamState = "connecting" | "live" | "lost" | "ended";

interface Listener {
  event(event: StreamEvent): void;
  state(state: StreamState): void;
  /** The service refuses the stream permanently. */
  failed(failure: ApiFailure): void;
  /** Whether this event is the stream's last, so that its end is no loss. */
  isLast?(event: StreamEvent): boolean;
}

/**
 * Reads a stream of the API as the signed-in user and resumes after the last event when the connection is lost, so that
 * no event is lost or repeated. An EventSource cannot send the credentials.
 * @returns the function that ends it
 */
export function readEvents(path: string, listener: Listener, lastEventId = ""): () => void {
  const ended = new AbortController();
  const { signal } = ended;

  async function run(): Promise<void> {
    listener.state("connecting");
    const until = (event: StreamEvent) => listener.isLast?.(event) ?? false;
    try {
      for await (const event of follow(dependencies(path), { signal, lastEventId, onState, until })) {
        // An event is handed on a little after it was read: nobody may listen any more.
        if (signal.aborted) return;
        listener.event(event);
      }
    } catch (error) {
      listener.state("ended");
      // Anything else is a fault of the listener, to be seen.
      if (!(error instanceof ApiFailure)) throw error;
      listener.failed(error);
      return;
    }
    if (!signal.aborted) listener.state("ended");
  }

  function onState(state: "live" | "lost"): void {
    listener.state(state);
    // It may have ended because the user may see less now.
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
    // The browser notices sooner than the connection does.
    addEventListener("offline", cut);
    return () => removeEventListener("offline", cut);
  },
});

/** Waits this long, ms, or until the browser is back online or nobody waits any more. */
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
