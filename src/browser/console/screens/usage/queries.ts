import { keepPreviousData } from "@tanstack/query-core";
import { api, data } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import type { Window } from "./periods.ts";

/** What the table's rows can be grouped by. */
const GROUPS = ["agent", "campaign", "api_key", "kind"] as const;
export type Group = (typeof GROUPS)[number];

/** The group that an address names; agents where it names none. */
export const groupNamed = (name: string): Group => GROUPS.find((group) => group === name) ?? "agent";

/** How often usage is read again, ms. */
const EVERY_MS = 30_000;
/** In how many of the newest conversations a missing price is looked for. */
const LATEST = 100;

const usageBy = (window: Window, group_by: string) =>
  query(["usage", group_by, window.from, window.to], (signal) =>
    data(
      api.GET("/api/v1/usage", {
        params: { query: Object.assign({ group_by }, window) },
        headers: { accept: "application/json" },
        signal,
      }),
    ),
  );

/** The usage of a window by day and kind; the previous window's stays until it has loaded. */
export const usageByDay = (window: Window) =>
  Object.assign(usageBy(window, "day,kind"), { placeholderData: keepPreviousData, refetchInterval: EVERY_MS });

/** The usage of a window by one group, with that group. */
export const usageByGroup = (window: Window, group: Group) =>
  Object.assign(usageBy(window, group), { refetchInterval: EVERY_MS });

/** The newest conversations of a window. */
export const latestConversations = ({ from, to }: Window) =>
  query(["conversations", "latest", from, to], (signal) => {
    const query = { since: `${from}T00:00:00Z`, until: `${to}T00:00:00Z`, limit: LATEST };
    return data(api.GET("/api/v1/conversations", { params: { query }, signal }));
  });
