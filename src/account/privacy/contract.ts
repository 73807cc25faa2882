import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";

const MOST_DAYS = 3_650;
/** The minimum exists because an audit log that could be emptied at once would prove nothing. */
const FEWEST_AUDIT_DAYS = 90;
/** The maximum exists because events are a stream to follow, not a record. */
const MOST_EVENTS_DAYS = 30;

const days = (fewest: number, most: number, description: string, example: number | null) =>
  z.number().int().min(fewest).max(most).nullable().openapi({ description, example });

const privacy = z
  .object({
    conversations_days: days(
      1,
      MOST_DAYS,
      "How many days conversations are kept after they started, with their transcripts; null (the default) to keep them. " +
        "The same value as `retention_days` of the call settings.",
      90,
    ),
    recordings_days: days(
      1,
      MOST_DAYS,
      "How many days recordings are kept; null to keep them. By default what the operator set for the account.",
      90,
    ),
    calls_days: days(
      1,
      MOST_DAYS,
      "How many days calls are kept after they were created; null (the default) to keep them. Statistics and usage " +
        "stay, because they contain no person.",
      365,
    ),
    events_days: days(
      1,
      MOST_EVENTS_DAYS,
      "How many days the account's events are kept, at most 30; null (the default) for 30.",
      30,
    ),
    audit_days: days(
      FEWEST_AUDIT_DAYS,
      MOST_DAYS,
      "How many days entries of the audit log are kept, at least 90 and by default 730; null to keep them.",
      730,
    ),
  })
  .openapi("Privacy");

/** The account's retention settings. */
export type Privacy = z.output<typeof privacy>;

const changes = privacy.partial();
/** The retention settings to change. */
export type PrivacyChanges = z.output<typeof changes>;

const slice = { access: "account", tag: "Privacy", path: "/api/v1/privacy" } as const;

export const getPrivacy = endpoint({
  ...slice,
  method: "get",
  scope: ["read"],
  operationId: "getPrivacy",
  summary: "Get how long the account keeps its records",
  description: "Each kind of record has its own retention. The agent's settings decide what its conversations store.",
  status: 200,
  response: privacy,
});

export const updatePrivacy = endpoint({
  ...slice,
  method: "patch",
  scope: ["manage"],
  operationId: "updatePrivacy",
  summary: "Change how long the account keeps its records",
  description:
    "Fields that are left out stay as they are. If you shorten a time, older records are deleted for good: " +
    "conversations, recordings, calls and audit entries within the hour, events within a day.",
  body: changes,
  status: 200,
  response: privacy,
});
