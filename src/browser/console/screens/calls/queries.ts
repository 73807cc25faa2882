import { api, type Body, data } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { nextOffset } from "../../ui/pages.ts";

/** How many calls a page has. */
const PAGE = 30;

/** What narrows the list down, by the names of the API. */
export const FILTERS = ["agent_id", "campaign_id", "status", "phone_number", "since", "until"] as const;

/** What a call may be doing, in the order in which it comes. */
export const STATUSES: Body<"Call">["status"][] = [
  "queued",
  "initiated",
  "ringing",
  "in-progress",
  "completed",
  "busy",
  "no-answer",
  "failed",
  "canceled",
];

/** Calls, newest first, a page after the other. */
export const callPages = (wanted: Partial<Record<(typeof FILTERS)[number], string>>) => {
  const { status: named, ...others } = wanted;
  const status = STATUSES.find((each) => each === named);
  return {
    queryKey: ["calls", "list", wanted],
    queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: number }) => {
      const query = { ...others, limit: PAGE, offset: pageParam, ...(status && { status }) };
      return data(api.GET("/api/v1/calls", { params: { query }, signal }));
    },
    initialPageParam: 0,
    getNextPageParam: (page: Body<"ListCallsResponse">) => nextOffset(page, page.calls.length),
  };
};

/** Has the lists ask again. */
export const callListChanged = () => queries.invalidateQueries({ queryKey: ["calls", "list"] });

/** Has every list and panel ask again, after a change. */
export const callsChanged = () => queries.invalidateQueries({ queryKey: ["calls"] });
