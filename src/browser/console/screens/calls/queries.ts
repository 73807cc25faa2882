import { api, data } from "../../api/client.ts";
import { calls as t } from "../../texts/index.ts";
import { chosen } from "../../ui/options.ts";
import { cursorPagesOf } from "../../ui/pages.ts";

/** The list's filters, by their names in the API. */
export const FILTERS = ["agent_id", "campaign_id", "status", "phone_number", "since", "until"] as const;

export const callPages = (wanted: Partial<Record<(typeof FILTERS)[number], string>>) => {
  const { status: named = "", ...others } = wanted;
  const status = chosen(t.statuses, named);
  return cursorPagesOf(
    ["calls", "list", wanted],
    30,
    (page, signal) => {
      const query = { ...others, ...page, ...(status && { status }) };
      return data(api.GET("/api/v1/calls", { params: { query }, signal }));
    },
    ({ calls }) => calls,
  );
};
