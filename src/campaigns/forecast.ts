import { nextUtcDay, utcDay } from "../accounts/call-caps.ts";
import type { CallCaps } from "../accounts/plans.ts";
import type { CampaignBook } from "./book.ts";
import { nextOpening } from "./calling-windows.ts";
import type { CampaignPlan } from "./contract.ts";
import { type DispatchState, earliest, nextStep } from "./dispatch.ts";
import type { WaitingGroup } from "./storage/contacts.ts";

/** How long a call is taken to last where none has been made yet, ms. */
const USUAL_CALL = 60_000;
/** Steps after which the rest is taken to go on at the pace so far. */
const MAX_STEPS = 50_000;
const YEAR = 366 * 86_400_000;

/**
 * When the campaign would finish if it ran from now on, and why its contacts wait: the dispatcher's own decisions on a
 * virtual clock, taking calls to last as long as they did so far and nobody to need another try.
 */
export function forecast(book: CampaignBook, caps: CallCaps, blocked: number, now: number): CampaignPlan {
  const settings = book.campaign.settings;
  const callLength = book.attempts.averageLength() ?? USUAL_CALL;
  const limits = {
    concurrent_calls: Math.min(settings.max_concurrency ?? Number.POSITIVE_INFINITY, caps.concurrent_calls),
    calls_per_minute: Math.min(settings.calls_per_minute ?? Number.POSITIVE_INFINITY, caps.calls_per_minute),
    calls_per_day: caps.calls_per_day,
  };
  const groups = book.contacts.waitingGroups();
  const opensAt = (group: Pick<WaitingGroup, "name">, at: number) =>
    nextOpening(settings.schedule_config, group.name ?? settings.timezone, at);
  const scheduledAt = settings.scheduled_at === null ? null : Date.parse(settings.scheduled_at);
  const run = simulate(groups, opensAt, { ...limits, callLength, scheduledAt, open: book.attempts.openCount() }, now);
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    status: book.campaign.known.status,
    finishes_at: time(run.finishesAt),
    next_dial_at: time(run.firstDialAt),
    waiting: { ...sortWaiting(groups, opensAt, scheduledAt, now), do_not_call: blocked },
    assumptions: { call_seconds: callLength / 1000, ...limits },
  };
}

interface Pace {
  concurrent_calls: number;
  calls_per_minute: number;
  calls_per_day: number;
  callLength: number;
  scheduledAt: number | null;
  open: number;
}

/** Plays the campaign through on a virtual clock. */
function simulate(
  groups: WaitingGroup[],
  opensAt: (group: WaitingGroup, at: number) => number | null,
  pace: Pace,
  now: number,
): { finishesAt: number | null; firstDialAt: number | null } {
  const queues = groups.map((group) => ({ ...group }));
  const calls: { endsAt: number; n: number }[] = pace.open > 0 ? [{ endsAt: now + pace.callLength, n: pace.open }] : [];
  let dialledAt: number[] = [];
  let open = pace.open;
  let day = { name: utcDay(now), calls: 0 };
  let firstDialAt: number | null = null;
  const total = queues.reduce((sum, { n }) => sum + n, 0);
  let left = total;
  let at = now;
  for (let steps = 0; left > 0; steps++) {
    if (at > now + YEAR) return { finishesAt: null, firstDialAt };
    if (steps > MAX_STEPS) return { finishesAt: at + ((at - now) * left) / Math.max(1, total - left), firstDialAt };
    while (calls[0] && calls[0].endsAt <= at) open -= calls.shift()?.n ?? 0;
    if (utcDay(at) !== day.name) day = { name: utcDay(at), calls: 0 };
    const step = nextStep(stateAt(queues, opensAt, pace, open, dialledAt, at), at);
    const dial = Math.min(step.dial, pace.calls_per_day - day.calls);
    if (dial > 0) {
      firstDialAt ??= at;
      takeFrom(queues, step.zones, dial, at);
      calls.push({ endsAt: at + pace.callLength, n: dial });
      open += dial;
      day.calls += dial;
      left -= dial;
      dialledAt = [...dialledAt, ...Array.from({ length: dial }, () => at)].slice(
        -Math.min(pace.calls_per_minute, 10_000),
      );
      continue;
    }
    const next = earliest([step.wakeAt, calls[0]?.endsAt ?? null, step.dial > 0 ? nextUtcDay(at) : null]);
    if (next === null) return { finishesAt: null, firstDialAt };
    at = Math.max(next, at + 1);
  }
  return { finishesAt: Math.max(at, calls.at(-1)?.endsAt ?? at), firstDialAt };
}

function stateAt(
  queues: WaitingGroup[],
  opensAt: (group: WaitingGroup, at: number) => number | null,
  pace: Pace,
  open: number,
  dialledAt: number[],
  at: number,
): DispatchState {
  return {
    status: "running",
    scheduledAt: pace.scheduledAt,
    maxConcurrency: pace.concurrent_calls,
    callsPerMinute: pace.calls_per_minute,
    open,
    dialledAt,
    notBefore: null,
    zones: queues
      .filter(({ n }) => n > 0)
      .map((queue) => ({
        zone: queue.zone,
        opensAt: opensAt(queue, at),
        due: queue.dueAt <= at ? queue.n : 0,
        nextDueAt: queue.dueAt > at ? queue.dueAt : null,
      })),
  };
}

function takeFrom(queues: WaitingGroup[], zones: number[], n: number, at: number): void {
  for (const queue of queues) {
    if (!zones.includes(queue.zone) || queue.dueAt > at) continue;
    const taken = Math.min(n, queue.n);
    queue.n -= taken;
    n -= taken;
  }
}

function sortWaiting(
  groups: WaitingGroup[],
  opensAt: (group: WaitingGroup, at: number) => number | null,
  scheduledAt: number | null,
  now: number,
) {
  const waiting = { schedule: 0, window: 0, retry: 0, cap: 0 };
  for (const group of groups) {
    const opening = opensAt(group, now);
    if (scheduledAt !== null && scheduledAt > now) waiting.schedule += group.n;
    else if (opening === null || opening > now) waiting.window += group.n;
    else if (group.dueAt > now) waiting.retry += group.n;
    else waiting.cap += group.n;
  }
  return waiting;
}
