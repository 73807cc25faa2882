import type { operations } from "../../../../../../packages/sdk/src/schema.d.ts";
import { DAY_MS, MINUTE_MS } from "../../../../../kernel/time.ts";
import { api, type Body, data } from "../../../api/client.ts";
import { queries, query } from "../../../api/queries.ts";
import { cursorPagesOf } from "../../../ui/pages.ts";
import type { Campaign } from "./campaign-events.ts";

/** One campaign with its settings. */
export const campaignById = (id: string) =>
  query(["campaigns", id], (signal) => data(api.GET("/api/v1/campaigns/{id}", { params: { path: { id } }, signal })));

/** Refetches everything about campaigns after a change. */
export const campaignsChanged = () => queries.invalidateQueries({ queryKey: ["campaigns"] });

/** How a contact that failed can have ended. */
export type FailedOutcome = Body<"RedialCampaignRequest">["outcomes"][number];

/** All of them, in the order in which they are shown. */
export const FAILED_OUTCOMES: FailedOutcome[] = [
  "no_answer",
  "busy",
  "machine",
  "failed",
  "rejected",
  "canceled",
  "do_not_call",
  "unknown",
];

/** How many contacts failed with each outcome; null for more than the service counts. */
export type FailedCounts = Partial<Record<FailedOutcome, number | null>>;

/** How many of a campaign's contacts failed, by outcome. */
export const failedByOutcome = (id: string) =>
  query(["campaigns", id, "failed"], async (signal) => {
    const counted = FAILED_OUTCOMES.map(async (outcome) => {
      const query = { status: "failed", outcome, limit: 1 } as const;
      const page = await data(api.GET("/api/v1/campaigns/{id}/contacts", { params: { path: { id }, query }, signal }));
      return [outcome, page.total] as const;
    });
    return Object.fromEntries(await Promise.all(counted));
  });

/** The contacts a clone can copy: by how their latest call ended, or because they had none. */
export type Choice =
  keyof operations["countCampaignOutcomes"]["responses"][200]["content"]["application/json"]["outcomes"];

/** All of them, in the order in which they are shown. */
export const CHOICES: Choice[] = ["not_called", "answered", ...FAILED_OUTCOMES];

/** The outcomes that count as not reached; unknown ones and do-not-call are left out. */
export const NOT_REACHED: Choice[] = ["not_called", "no_answer", "busy", "machine", "failed", "rejected", "canceled"];

/** How many contacts a clone would take along, by choice. */
export const countedChoices = (id: string) =>
  query(["campaigns", id, "outcomes"], async (signal) => {
    const request = { params: { path: { id } }, signal };
    return (await data(api.GET("/api/v1/campaigns/{id}/outcomes", request))).outcomes;
  });

/** Why contacts wait, and when it would be over. */
export type Plan = Body<"CampaignPlan">;

/** When a campaign would finish, and why contacts wait. */
export const campaignPlan = (id: string) =>
  query(["campaigns", id, "plan"], (signal) =>
    data(api.GET("/api/v1/campaigns/{id}/plan", { params: { path: { id } }, signal })),
  );

/** A contact with its calls, and why it waits. */
export type ContactDetail = operations["getCampaignContact"]["responses"][200]["content"]["application/json"];

/** One contact. */
export const contactById = (id: string, contactId: string) =>
  query(["campaigns", id, "contacts", contactId], (signal) => {
    const path = { id, contactId };
    return data(api.GET("/api/v1/campaigns/{id}/contacts/{contactId}", { params: { path }, signal }));
  });

/** Which contacts are listed, as the API's parameters. */
export type ContactFilter = Pick<
  NonNullable<operations["listCampaignContacts"]["parameters"]["query"]>,
  "status" | "outcome" | "search"
>;

/** A campaign's contacts in the order of the file, page by page. */
export const contactPages = (id: string, filter: ContactFilter) =>
  cursorPagesOf(
    ["campaigns", id, "contacts", "list", filter],
    100,
    (page, signal) => {
      const query = { ...filter, ...page };
      return data(api.GET("/api/v1/campaigns/{id}/contacts", { params: { path: { id }, query }, signal }));
    },
    ({ contacts }) => contacts,
  );

/** Refetches a campaign's contacts after a change. */
export const contactsChanged = (id: string) => queries.invalidateQueries({ queryKey: ["campaigns", id, "contacts"] });

/** As far back as calls are counted, ms. */
const COUNTED_MS = 14 * DAY_MS - MINUTE_MS;

/** How a campaign's calls ended over time. */
export const callStatistics = ({ id, started_at }: Pick<Campaign, "id" | "started_at">) =>
  query(["campaigns", id, "statistics"], (signal) => {
    const begun = Math.max(Date.parse(started_at ?? new Date().toISOString()), Date.now() - COUNTED_MS);
    const query = { campaign_id: id, since: new Date(begun).toISOString() };
    return data(api.GET("/api/v1/calls/statistics", { params: { query }, signal }));
  });
