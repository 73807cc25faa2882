import type { operations } from "../../../../../../packages/sdk/src/schema.d.ts";
import { DAY_MS, MINUTE_MS } from "../../../../../kernel/time.ts";
import { api, type Body, data } from "../../../api/client.ts";
import { queries, query } from "../../../api/queries.ts";
import { cursorPagesOf } from "../../../ui/pages.ts";
import type { Campaign } from "./campaign-events.ts";

export const campaignById = (id: string) =>
  query(["campaigns", id], (signal) => data(api.GET("/api/v1/campaigns/{id}", { params: { path: { id } }, signal })));

/** Refetches everything about campaigns after a change. */
export const campaignsChanged = () => queries.invalidateQueries({ queryKey: ["campaigns"] });

export type FailedOutcome = Body<"RedialCampaignRequest">["outcomes"][number];

/** In order of display. */
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

/** Number of contacts that failed with each outcome; null if there are more than the service counts. */
export type FailedCounts = Partial<Record<FailedOutcome, number | null>>;

export const failedByOutcome = (id: string) =>
  query(["campaigns", id, "failed"], async (signal) => {
    const counted = FAILED_OUTCOMES.map(async (outcome) => {
      const query = { status: "failed", outcome, limit: 1 } as const;
      const page = await data(api.GET("/api/v1/campaigns/{id}/contacts", { params: { path: { id }, query }, signal }));
      return [outcome, page.total] as const;
    });
    return Object.fromEntries(await Promise.all(counted));
  });

/** The contacts that a clone can copy: those with this outcome of their latest call, or without a call. */
export type Choice =
  keyof operations["countCampaignOutcomes"]["responses"][200]["content"]["application/json"]["outcomes"];

/** In order of display. */
export const CHOICES: Choice[] = ["not_called", "answered", ...FAILED_OUTCOMES];

/** The outcomes that count as not reached. `unknown` and `do_not_call` don't. */
export const NOT_REACHED: Choice[] = ["not_called", "no_answer", "busy", "machine", "failed", "rejected", "canceled"];

/** Returns the query of how many contacts a clone would copy, by choice. */
export const countedChoices = (id: string) =>
  query(["campaigns", id, "outcomes"], async (signal) => {
    const request = { params: { path: { id } }, signal };
    return (await data(api.GET("/api/v1/campaigns/{id}/outcomes", request))).outcomes;
  });

export type Plan = Body<"CampaignPlan">;

export const campaignPlan = (id: string) =>
  query(["campaigns", id, "plan"], (signal) =>
    data(api.GET("/api/v1/campaigns/{id}/plan", { params: { path: { id } }, signal })),
  );

/** A contact with its calls and the reason why it is waiting. */
export type ContactDetail = operations["getCampaignContact"]["responses"][200]["content"]["application/json"];

export const contactById = (id: string, contactId: string) =>
  query(["campaigns", id, "contacts", contactId], (signal) => {
    const path = { id, contactId };
    return data(api.GET("/api/v1/campaigns/{id}/contacts/{contactId}", { params: { path }, signal }));
  });

/** The filters of a list of contacts, as the API's parameters. */
export type ContactFilter = Pick<
  NonNullable<operations["listCampaignContacts"]["parameters"]["query"]>,
  "status" | "outcome" | "search"
>;

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

export const contactsChanged = (id: string) => queries.invalidateQueries({ queryKey: ["campaigns", id, "contacts"] });

/** The longest time before now that the statistics cover, ms. */
const COUNTED_MS = 366 * DAY_MS - MINUTE_MS;

export const callStatistics = ({ id, started_at }: Pick<Campaign, "id" | "started_at">) =>
  query(["campaigns", id, "statistics"], (signal) => {
    const begun = Math.max(Date.parse(started_at ?? new Date().toISOString()), Date.now() - COUNTED_MS);
    const query = { campaign_id: id, since: new Date(begun).toISOString() };
    return data(api.GET("/api/v1/calls/statistics", { params: { query }, signal }));
  });
