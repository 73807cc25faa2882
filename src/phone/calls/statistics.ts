import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { callFacts, calls } from "../../kernel/db/schema/index.ts";
import { invalidFields } from "../../kernel/http/issues.ts";
import type { CallStatus } from "../../records/ledger/call-status.ts";
import { END_REASONS, type EndReason, endReasonOnRecord } from "../../records/ledger/end-reason.ts";
import type { CallOwner } from "./filters.ts";
import { ownedBy } from "./list-calls.ts";
import { type Interval, type Window, windowOf } from "./statistics-window.ts";

/** Which calls are counted, and how finely. */
interface Query extends CallOwner {
  since?: string | undefined;
  until?: string | undefined;
  interval?: Interval | undefined;
  direction?: "outbound" | "inbound" | undefined;
}

/** How much of a time tells its bucket: `2026-11-21T09:30`, `2026-11-21T09`, `2026-11-21`. */
const TOLD_BY: Record<Interval, number> = { minute: 16, hour: 13, day: 10 };

const { hour, talk_ms, ...facts } = callFacts;
/** Few enough calls that they need not stand together in an index. */
const minute = sql<string>`substr(created_at, 1, 16)`;

interface Counts {
  calls: number;
  running: number;
  answered: number;
  /** Those that were answered, or are over without. */
  decided: number;
  end_reasons: Record<EndReason, number>;
  talk_ms: number;
}

/** How many calls there were, bucket by bucket and in all, in one round trip. @throws ApiError 400 for a wrong window */
export async function callStatistics(store: AccountStore, query: Query, now: number) {
  const window = windowOf(query, now);
  if ("field" in window) throw invalidFields([window]);
  const at = window.interval === "minute" ? minute : hour;
  const { direction } = query;
  const isDirection = direction === undefined ? undefined : eq(calls.direction, direction);
  const where = and(within(window), ownedBy(query), isDirection);
  const [groups] = await store.read(store.countBy(calls, { at, ...facts }, { where, sums: { talk_ms } }));
  const told = TOLD_BY[window.interval];
  const buckets = new Map(window.buckets.map((begin) => [begin.slice(0, told), { at: begin, counts: noCalls() }]));
  const totals = noCalls();
  for (const group of groups) {
    add(totals, group);
    const bucket = buckets.get(group.at.slice(0, told));
    if (bucket) add(bucket.counts, group);
  }
  return {
    since: window.since,
    until: window.until,
    interval: window.interval,
    totals: view(totals),
    buckets: Array.from(buckets.values(), ({ at: begin, counts }) => Object.assign(view(counts), { at: begin })),
  };
}

/** The window as the index of the query has it. */
function within({ interval, since, until }: Window): SQL | undefined {
  if (interval === "minute") return and(gte(calls.created_at, since), lt(calls.created_at, until));
  return and(gte(hour, since.slice(0, TOLD_BY.hour)), lt(hour, until.slice(0, TOLD_BY.hour)));
}

/** So many calls of which the same is known. */
interface Group extends Record<"over" | "picked_up" | "by_machine" | "hangup_requested", 0 | 1> {
  status: string;
  end_reason: string | null;
  talk_ms: number;
  n: number;
}

function add(counts: Counts, { n, talk_ms, over, picked_up, by_machine, hangup_requested, ...end }: Group): void {
  const reason = endReasonOnRecord({
    status: end.status as CallStatus,
    end_reason: end.end_reason,
    by_machine: by_machine === 1,
    hangup_requested: hangup_requested === 1,
  });
  counts.calls += n;
  counts.talk_ms += talk_ms;
  if (over === 1) counts.end_reasons[reason] += n;
  else counts.running += n;
  if (picked_up === 1 && reason !== "machine") {
    counts.answered += n;
    counts.decided += n;
  } else if (over === 1) counts.decided += n;
}

function noCalls(): Counts {
  const none = END_REASONS.map((reason) => [reason, 0]);
  return { calls: 0, running: 0, answered: 0, decided: 0, end_reasons: Object.fromEntries(none), talk_ms: 0 };
}

function view({ talk_ms, decided, ...counts }: Counts) {
  const { answered } = counts;
  return Object.assign(counts, {
    talk_s: Math.round(talk_ms / 1000),
    answer_rate: decided === 0 ? null : answered / decided,
  });
}
