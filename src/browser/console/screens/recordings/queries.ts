import { api, type Body, data } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { nextOffset } from "../../ui/pages.ts";

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
  getNextPageParam: (page: Body<"ListRecordingsResponse">) => nextOffset(page, page.recordings.length),
});

/** Has every list and panel ask again, after a change; calls know their recordings. */
export const recordingsChanged = () =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ["recordings"] }),
    queries.invalidateQueries({ queryKey: ["calls"] }),
  ]);
