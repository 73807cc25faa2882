import { keepPreviousData } from "@tanstack/query-core";
import { api, data } from "../../api/client.ts";
import type { Asked } from "../../api/queries.ts";
import { beginOf, type Window } from "./windows.ts";

/** How often what changes by itself is asked for again, ms. */
const CALLS_EVERY_MS = 5_000;
const REST_EVERY_MS = 30_000;
const MOST_CONVERSATIONS = 6;

/** A query that is asked again by itself: often what calls change, at times what people do. */
export const asked = {
  often: <Query extends object>(query: Query) => Object.assign(query, { refetchInterval: CALLS_EVERY_MS }),
  atTimes: <Query extends object>(query: Query) => Object.assign(query, { refetchInterval: REST_EVERY_MS }),
};

export const installedIntegrations = () => ({
  queryKey: ["integrations", "installed"],
  queryFn: ({ signal }: Asked) =>
    data(api.GET("/api/v1/integrations", { params: { query: { status: "installed" as const } }, signal })),
  refetchInterval: REST_EVERY_MS,
});

export const recentConversations = () => ({
  queryKey: ["conversations", "recent"],
  queryFn: ({ signal }: Asked) =>
    data(api.GET("/api/v1/conversations", { params: { query: { limit: MOST_CONVERSATIONS } }, signal })),
  refetchInterval: CALLS_EVERY_MS,
});

/** The calls of a window by the hour, with the window they are of: another one's stay until they are there. */
export const callStatistics = (window: Window) => ({
  queryKey: ["calls", "statistics", window],
  queryFn: async ({ signal }: Asked) => {
    const since = new Date(beginOf(window, Date.now())).toISOString();
    const query = { since, interval: "hour" as const };
    return { window, statistics: await data(api.GET("/api/v1/calls/statistics", { params: { query }, signal })) };
  },
  placeholderData: keepPreviousData,
  refetchInterval: REST_EVERY_MS,
});
