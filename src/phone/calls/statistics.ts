import { invalidFields } from "../../kernel/http/issues.ts";
import type { OfAgents } from "../../kernel/http/own-agents.ts";
import { BUCKET_CHARS, type BucketSums } from "../../records/ledger/call-statistics.ts";
import { END_REASONS } from "../../records/ledger/end-reason.ts";
import type { Ledger } from "../../records/ledger/ledger.ts";
import { volumesWithin } from "../../records/ledger/volumes.ts";
import type { CallOwner } from "./filters.ts";
import { type Interval, windowOf } from "./statistics-window.ts";

/** The calls to count, and the interval to count them by. */
interface Query extends CallOwner, Pick<OfAgents, "agent_ids"> {
  since?: string | undefined;
  until?: string | undefined;
  interval?: Interval | undefined;
  direction?: "outbound" | "inbound" | undefined;
}

type Sums = Map<string, number>;

/** Counts calls by bucket and in total. @throws ApiError 400 for an invalid window */
export async function callStatistics(ledger: Ledger, query: Query, now: number) {
  const window = windowOf(query, now);
  if ("field" in window) throw invalidFields([window]);
  const { interval, since, until } = window;
  const days = volumesWithin(await ledger.days(), { since, until });
  const { agent_id, agent_ids, campaign_id, direction } = query;
  const counted = { agent_id, agent_ids, campaign_id, direction, interval, since, until };
  const found = await Promise.all(
    days.map(async (day): Promise<BucketSums[]> => ledger.volume(day).callStatistics(counted)),
  );
  const totals: Sums = new Map();
  const buckets = new Map<string, Sums>();
  for (const { at, sums } of found.flat()) {
    const bucket = buckets.get(at) ?? new Map();
    buckets.set(at, bucket);
    add(totals, sums);
    add(bucket, sums);
  }
  return {
    since,
    until,
    interval,
    totals: projectSums(totals),
    buckets: window.buckets.map((at) =>
      Object.assign({ at }, projectSums(buckets.get(at.slice(0, BUCKET_CHARS[interval])) ?? new Map())),
    ),
  };
}

function add(sums: Sums, more: Record<string, number>): void {
  for (const [name, n] of Object.entries(more)) sums.set(name, (sums.get(name) ?? 0) + n);
}

function projectSums(sums: Sums) {
  const of = (name: string) => sums.get(name) ?? 0;
  return {
    calls: of("calls"),
    running: of("running"),
    answered: of("answered"),
    end_reasons: Object.fromEntries(END_REASONS.map((reason) => [reason, of(`ended_${reason}`)])) as Record<
      (typeof END_REASONS)[number],
      number
    >,
    talk_s: Math.round(of("talk_ms") / 1000),
    answer_rate: of("decided") === 0 ? null : of("answered") / of("decided"),
  };
}
