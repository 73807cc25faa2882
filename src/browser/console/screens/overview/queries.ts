import { keepPreviousData } from "@tanstack/query-core";
import { api, data } from "../../api/client.ts";
import type { QueryContext } from "../../api/queries.ts";
import { beginOf, type Window } from "./windows.ts";

/** How often data that changes by itself is refetched, ms. */
const CALLS_EVERY_MS = 5_000;
const REST_EVERY_MS = 30_000;
const MAX_CONVERSATIONS = 6;

/** Adds a refetch interval to a query: short for what calls change, long for what people change. */
export const refetched = {
  often: <Query extends object>(query: Query) => Object.assign(query, { refetchInterval: CALLS_EVERY_MS }),
  atTimes: <Query extends object>(query: Query) => Object.assign(query, { refetchInterval: REST_EVERY_MS }),
};

export const installedIntegrations = () => ({
  queryKey: ["integrations", "installed"],
  queryFn: ({ signal }: QueryContext) =>
    data(api.GET("/api/v1/integrations", { params: { query: { status: "installed" as const } }, signal })),
  refetchInterval: REST_EVERY_MS,
});

export const recentConversations = () => ({
  queryKey: ["conversations", "recent"],
  queryFn: ({ signal }: QueryContext) =>
    data(api.GET("/api/v1/conversations", { params: { query: { limit: MAX_CONVERSATIONS } }, signal })),
  refetchInterval: CALLS_EVERY_MS,
});

/**
 * Returns the query of the hourly statistics of a window, together with the window. Those of the previous window stay
 * until they are loaded.
 */
export const callStatistics = (window: Window) => ({
  queryKey: ["calls", "statistics", window],
  queryFn: async ({ signal }: QueryContext) => {
    const since = new Date(beginOf(window, Date.now())).toISOString();
    const query = { since, interval: "hour" as const };
    return { window, statistics: await data(api.GET("/api/v1/calls/statistics", { params: { query }, signal })) };
  },
  placeholderData: keepPreviousData,
  refetchInterval: REST_EVERY_MS,
});
