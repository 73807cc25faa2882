import { createEffect, createMemo, createSignal, onCleanup } from "solid-js";
import { readEvents, type StreamState } from "../../../api/event-stream.ts";
import { may } from "../../../api/may.ts";
import { invalidate } from "../../../api/queries.ts";
import { useQuery } from "../../../api/use-query.ts";
import { testRunById } from "../queries.ts";
import { afterRunEvent, isLastOfRun, type Run, type WatchedRun } from "./run-events.ts";

/** How often a run in progress is fetched by users who may not watch its stream, and in addition to the stream, ms. */
const REFETCH_INTERVAL_MS = 5_000;

/** Follows a run of tests: streamed while it is in progress, and fetched again when it is completed. */
export function useTestRun(id: () => string | undefined) {
  const stored = useQuery(() => ({
    ...testRunById(id() ?? ""),
    enabled: id() !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === "running" ? REFETCH_INTERVAL_MS : false),
  }));
  const [watched, setWatched] = createSignal<WatchedRun>();
  const [stream, setStream] = createSignal<StreamState>("connecting");
  const isRunning = createMemo(() => stored.data?.status === "running");

  createEffect(() => {
    const run = id();
    if (run === undefined || !isRunning() || !may("streamTestRun")) return;
    const stop = readEvents(`/api/v1/test-runs/${run}/events`, {
      event: ({ name, data }) => setWatched((before) => afterRunEvent(before, name, data)),
      state: (state) => {
        setStream(state);
        if (state === "ended") void invalidate("test-runs", "agents");
      },
      failed: () => undefined,
      isLast: isLastOfRun,
    });
    onCleanup(() => {
      stop();
      setWatched(undefined);
    });
  });

  return {
    stored,
    stream,
    /** The tests in progress. */
    underWay: () => watched()?.underWay ?? [],
    /** Returns the newer of the streamed and the fetched state. */
    latest: (found: Run): Run => {
      const streamed = watched()?.run;
      return streamed && streamed.id === found.id && streamed.done >= found.done ? streamed : found;
    },
  };
}
