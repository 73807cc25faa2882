import { api, type Body, data } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";

/** How many recordings a page has. */
const PAGE = 30;

/** What narrows the list down, by the names of the API. */
export const FILTERS = ["agent_id", "call_id"] as const;

/** Recordings, newest first, a page after the other. */
export const recordingPages = (wanted: Partial<Record<(typeof FILTERS)[number], string>>) => ({
  queryKey: ["recordings", "list", wanted],
  queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: number }) =>
    data(api.GET("/api/v1/recordings", { params: { query: { ...wanted, limit: PAGE, offset: pageParam } }, signal })),
  initialPageParam: 0,
  getNextPageParam: ({ recordings, offset, total }: Body<"ListRecordingsResponse">) =>
    offset + recordings.length < total && recordings.length > 0 ? offset + recordings.length : null,
});

/** One recording's record. */
export const recordingById = (id: string) => ({
  queryKey: ["recordings", id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    data(api.GET("/api/v1/recordings/{id}", { params: { path: { id } }, signal })),
});

/** The call that was recorded. */
export const callById = (id: string) => ({
  queryKey: ["calls", id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    data(api.GET("/api/v1/calls/{id}", { params: { path: { id } }, signal })),
});

/** Has every list and panel ask again, after a change; calls know their recordings. */
export const recordingsChanged = () =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ["recordings"] }),
    queries.invalidateQueries({ queryKey: ["calls"] }),
  ]);
