import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { instant, timestamp } from "../../kernel/http/fields.ts";
import { named } from "../../kernel/http/named-schemas.ts";
import { END_REASONS } from "../../records/ledger/end-reason.ts";
import { ownerFilters } from "./filters.ts";
import { DEFAULT_WINDOW_HOURS, INTERVALS, MAX_BUCKETS, MAX_WINDOW_DAYS } from "./statistics-window.ts";

const number = z.number().int().min(0);

const ended = number.openapi({
  description: "How many calls ended for this reason, as `end_reason` says.",
  example: 3,
});
// An object of fields instead of a record, so that the API document says that each field is present.
const endReasons = named(
  "CallsByEndReason",
  "Numbers of calls by the `end_reason` of calls.",
  z.object(
    Object.fromEntries(END_REASONS.map((reason) => [reason, ended])) as Record<
      (typeof END_REASONS)[number],
      typeof ended
    >,
  ),
);

const counts = {
  calls: number.openapi({ description: "All outgoing and incoming calls, including those in progress.", example: 25 }),
  running: number.openapi({ description: "Those still in progress.", example: 2 }),
  answered: number.openapi({
    description:
      "Those answered by a person, including those in progress; not those known to have been answered by a machine.",
    example: 16,
  }),
  end_reasons: endReasons.openapi({
    description: "Those that have ended, by `end_reason`; every value is always present.",
    example: Object.assign(Object.fromEntries(END_REASONS.map((reason) => [reason, 0])), {
      answered: 12,
      busy: 3,
      no_answer: 3,
      machine: 1,
      hangup: 4,
    }),
  }),
  talk_s: z.number().int().openapi({
    description: "Seconds from the answer to the end, over all calls that have ended, to the nearest second.",
    example: 672,
  }),
  answer_rate: z.number().min(0).max(1).nullable().openapi({
    description: "`answered` as a share of the calls that were answered or have ended; null if there are none.",
    example: 0.696,
  }),
};

const totals = named("CallStatisticsTotals", "Counts of calls.", z.object(counts));

const bucket = z
  .object({
    at: timestamp.openapi({
      description: "When the bucket starts (UTC); it is one `interval` long.",
      example: "2026-11-21T09:00:00.000Z",
    }),
  })
  .extend(counts)
  .openapi("CallStatisticsBucket");

const statistics = z
  .object({
    since: timestamp.openapi({
      description: "Where the first bucket starts: the requested time, moved back to the start of its bucket (UTC).",
      example: "2026-11-21T09:00:00.000Z",
    }),
    until: timestamp.openapi({
      description: "Where the last bucket ends: the requested time, moved forward to the end of its bucket (UTC).",
      example: "2026-11-21T10:00:00.000Z",
    }),
    interval: z.enum(INTERVALS).openapi({ description: "How long each bucket is.", example: "hour" }),
    totals: totals.openapi({ description: "The totals of all buckets." }),
    buckets: z
      .array(bucket)
      .openapi({ description: "In order of time, without gaps; an empty bucket contains zeros." }),
  })
  .openapi("CallStatistics");

export const getCallStatistics = endpoint({
  access: "account",
  tag: "Calls",
  method: "get",
  path: "/api/v1/calls/statistics",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "getCallStatistics",
  summary: "Count calls over time, by how they ended",
  description:
    "For plots: `running` and `end_reasons` add up to `calls`, in each bucket and in total. A call belongs to " +
    "the bucket of its `created_at`. Buckets start at full minutes, hours or days (UTC) and are counted whole, " +
    "so the window is extended to full ones; the newest bucket may still grow. A request can cover up to " +
    `${MAX_WINDOW_DAYS} days and ${MAX_BUCKETS} buckets.`,
  query: z.object({
    since: instant.optional().openapi({
      description: `Where the window begins, with its offset. Default: ${DEFAULT_WINDOW_HOURS} hours before \`until\`.`,
      example: "2026-11-21T09:30:00Z",
    }),
    until: instant.optional().openapi({
      description: "Where the window ends, with its offset. Default: now.",
      example: "2026-11-22T09:30:00Z",
    }),
    interval: z.enum(INTERVALS).optional().openapi({
      description:
        "How long a bucket is. Default: `minute` for a window of up to 3 hours, `hour` for up to 4 days, otherwise `day`.",
      example: "hour",
    }),
    ...ownerFilters,
    direction: z.enum(["outbound", "inbound"]).optional().openapi({
      description: "Only outgoing calls, or only incoming ones.",
      example: "outbound",
    }),
  }),
  status: 200,
  response: statistics,
});
