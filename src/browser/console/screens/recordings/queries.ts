import { api, data } from "../../api/client.ts";
import { cursorPagesOf } from "../../ui/pages.ts";

export const FILTERS = ["agent_id", "call_id"] as const;

export const recordingPages = (wanted: Partial<Record<(typeof FILTERS)[number], string>>) =>
  cursorPagesOf(
    ["recordings", "list", wanted],
    30,
    (page, signal) => data(api.GET("/api/v1/recordings", { params: { query: { ...wanted, ...page } }, signal })),
    ({ recordings }) => recordings,
  );
