import { keepPreviousData } from "@tanstack/query-core";
import { api, data } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import type { Window } from "./periods.ts";

const GROUPS = ["agent", "campaign", "api_key", "kind", "model"] as const;
export type Group = (typeof GROUPS)[number];

/** Returns the group named in the address; agents if there is none. */
export const groupNamed = (name: string): Group => GROUPS.find((group) => group === name) ?? "agent";

const EVERY_MS = 30_000;
/** Number of latest conversations that are searched for missing prices. */
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

export const usageByDay = (window: Window) =>
  Object.assign(usageBy(window, "day,kind"), { placeholderData: keepPreviousData, refetchInterval: EVERY_MS });

export const usageByGroup = (window: Window, group: Group) =>
  Object.assign(usageBy(window, group), { refetchInterval: EVERY_MS });

export const latestConversations = ({ from, to }: Window) =>
  query(["conversations", "latest", from, to], (signal) => {
    const query = { since: `${from}T00:00:00Z`, until: `${to}T00:00:00Z`, limit: LATEST };
    return data(api.GET("/api/v1/conversations", { params: { query }, signal }));
  });
