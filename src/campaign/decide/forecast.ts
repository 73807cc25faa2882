import { earliest } from "../../kernel/durable/alarm.ts";
import { giveWay } from "../../kernel/durable/give-way.ts";
import { DAY_MS, MINUTE_MS } from "../../kernel/time.ts";
import { admitCampaignCalls, nextUtcDay } from "../../phone/call-limits/call-caps.ts";
import type { CampaignPlan } from "../plan-contract.ts";
import type { CampaignSettings } from "../settings.ts";
import type { AccountUsage } from "./explain-waiting.ts";
import { type DispatchState, nextStep } from "./next-step.ts";
import { type CampaignStatus, isOver } from "./state.ts";
import { type WaitingGroup, WaitingZone, WaitingZones } from "./waiting-zone.ts";

/** Assumed length of a call before any was placed, ms. */
const USUAL_CALL_MS = MINUTE_MS;
/** Number of steps after which the remaining contacts are extrapolated. */
const MAX_STEPS = 50_000;
/** The number of zones computed, and of steps taken, before other requests get a turn. */
const ZONES_A_TURN = 25;
const STEPS_A_TURN = 2_000;
const YEAR_MS = 366 * DAY_MS;

export type Forecast = Pick<CampaignPlan, "status" | "finishes_at" | "next_dial_at" | "waiting" | "assumptions">;

/** The input of a forecast. Times are ms. */
export interface PlannedCampaign {
  status: CampaignStatus;
  importing: boolean;
  endedAt: number | null;
  settings: CampaignSettings;
  /** Average length of its calls; null if none has ended. */
  callLength: number | null;
  /** Number of calls in progress. */
  open: number;
  /** Start times of the last minute's calls, oldest first. */
  dialledAt: number[];
}

/**
 * Estimates when the campaign would finish if only this campaign ran from now on, and why its contacts wait. It runs
 * the dispatcher's own decisions on a virtual clock. It assumes that calls last as long as before, that no contact
 * needs another attempt, and that the contacts of one time zone come before those of the next. `all` are the waiting
 * contacts. `blocked` are those whose numbers are on the do-not-call list: they end without a call.
 */
export async function forecast(
  campaign: PlannedCampaign,
  { caps, campaign_slots, usage }: AccountUsage,
  all: WaitingGroup[],
  blocked: WaitingGroup[],
  now: number,
): Promise<Forecast> {
  const { settings, status } = campaign;
  const callLength = campaign.callLength ?? USUAL_CALL_MS;
  const limits = {
    concurrent_calls: Math.min(settings.max_concurrency ?? Number.POSITIVE_INFINITY, campaign_slots),
    calls_per_minute: Math.min(settings.calls_per_minute ?? Number.POSITIVE_INFINITY, caps.calls_per_minute),
    calls_per_day: caps.calls_per_day,
  };
  const scheduledAt = settings.scheduled_at === null ? null : Date.parse(settings.scheduled_at);
  const over = isOver(status);
  const groups = without(all, blocked);
  const zones: WaitingZone[] = [];
  for (const ofZone of Map.groupBy(groups, ({ zone }) => zone).values()) {
    zones.push(new WaitingZone(ofZone, settings.schedule_config, settings.timezone, now));
    if (zones.length % ZONES_A_TURN === 0) await giveWay();
  }
  const waiting = sortWaiting(zones, scheduledAt, now);
  const run = await simulate(
    new WaitingZones(zones),
    {
      ...limits,
      callLength,
      scheduledAt,
      open: campaign.open,
      today: usage.today,
      dialledAt: campaign.dialledAt,
    },
    now,
  );
  const room = admitCampaignCalls(caps, campaign_slots, usage, Number.MAX_SAFE_INTEGER, now).granted;
  const ready = Math.min(run.atOnce, room, waiting.cap);
  // A contact on the do-not-call list ends without a call at the time when it could be dialed.
  const listed = blocked.map((group) => {
    const at = Math.max(now, scheduledAt ?? now, group.dueAt);
    return new WaitingZone([group], settings.schedule_config, settings.timezone, at).queueAt(at).opensAt;
  });
  const finishesAt = campaign.importing ? null : latest([run.finishesAt, ...listed]);
  return {
    status,
    finishes_at: time(over ? campaign.endedAt : finishesAt),
    next_dial_at: time(over ? null : run.firstDialAt),
    waiting: { ...waiting, cap: waiting.cap - ready, ready, do_not_call: sum(blocked) },
    assumptions: { call_seconds: callLength / 1000, ...limits },
  };
}

interface Pace {
  concurrent_calls: number;
  calls_per_minute: number;
  calls_per_day: number;
  callLength: number;
  scheduledAt: number | null;
  /** The current state: open calls, the last minute's calls, and the account's calls today. */
  open: number;
  dialledAt: number[];
  today: number;
}

interface Run {
  finishesAt: number | null;
  firstDialAt: number | null;
  /** How many contacts are dialed at the very beginning. */
  atOnce: number;
}

async function simulate(zones: WaitingZones, pace: Pace, now: number): Promise<Run> {
  const calls: { endsAt: number; n: number }[] = pace.open > 0 ? [{ endsAt: now + pace.callLength, n: pace.open }] : [];
  const dialledAt = [...pace.dialledAt];
  let { open } = pace;
  let day = { endsAt: nextUtcDay(now), calls: pace.today };
  const run: Run = { finishesAt: null, firstDialAt: null, atOnce: 0 };
  const total = zones.left;
  let at = now;
  const horizon = Math.max(now, pace.scheduledAt ?? now) + YEAR_MS;
  for (let steps = 0; zones.left > 0; steps++) {
    if (at > horizon) return run;
    if (steps > MAX_STEPS) {
      const { left } = zones;
      return left === total ? run : { ...run, finishesAt: at + ((at - now) * left) / (total - left) };
    }
    if (steps % STEPS_A_TURN === STEPS_A_TURN - 1) await giveWay();
    while (calls[0] && calls[0].endsAt <= at) open -= calls.shift()?.n ?? 0;
    if (at >= day.endsAt) day = { endsAt: nextUtcDay(at), calls: 0 };
    const step = nextStep(stateAt(zones, pace, open, dialledAt, at), at);
    const dial = Math.min(step.dial, Math.max(0, pace.calls_per_day - day.calls));
    if (dial > 0) {
      run.firstDialAt ??= at;
      if (at === now) run.atOnce += dial;
      zones.take(dial);
      calls.push({ endsAt: at + pace.callLength, n: dial });
      open += dial;
      day.calls += dial;
      prune(dialledAt, at - MINUTE_MS);
      for (let i = 0; i < dial; i++) dialledAt.push(at);
      continue;
    }
    const next = earliest([step.wakeAt, calls[0]?.endsAt ?? null, step.dial > 0 ? day.endsAt : null]);
    if (next === null) return run;
    at = Math.max(next, at + 1);
  }
  return { ...run, finishesAt: Math.max(at, calls.at(-1)?.endsAt ?? at) };
}

/** Removes the times up to `until` from ascending times. */
function prune(times: number[], until: number): void {
  const first = times.findIndex((time) => time > until);
  times.splice(0, first === -1 ? times.length : first);
}

function stateAt(zones: WaitingZones, pace: Pace, open: number, dialledAt: number[], at: number): DispatchState {
  return {
    status: "running",
    scheduledAt: pace.scheduledAt,
    maxConcurrency: pace.concurrent_calls,
    callsPerMinute: pace.calls_per_minute,
    open,
    dialledAt,
    notBefore: null,
    trying: null,
    zones: zones.queuesAt(at),
  };
}

function sortWaiting(zones: WaitingZone[], scheduledAt: number | null, now: number) {
  const waiting = { schedule: 0, window: 0, retry: 0, cap: 0 };
  for (const zone of zones) {
    const { opensAt, due } = zone.queueAt(now);
    if (scheduledAt !== null && scheduledAt > now) waiting.schedule += zone.left;
    else if (opensAt === null || opensAt > now) waiting.window += zone.left;
    else {
      waiting.cap += due;
      waiting.retry += zone.left - due;
    }
  }
  return waiting;
}

/** Returns the groups without the contacts that are also in `others`. */
function without(groups: WaitingGroup[], others: WaitingGroup[]): WaitingGroup[] {
  const key = ({ zone, dueAt }: WaitingGroup) => `${zone} ${Math.floor(dueAt / MINUTE_MS)}`;
  const fewer = Map.groupBy(others, key);
  return groups.map((group) => ({ ...group, n: group.n - sum(fewer.get(key(group)) ?? []) }));
}

function sum(groups: WaitingGroup[]): number {
  return groups.reduce((total, { n }) => total + n, 0);
}

/** Returns the latest of some times; null if one never comes. */
function latest(times: (number | null)[]): number | null {
  return times.reduce((last, at) => (last === null || at === null ? null : Math.max(last, at)));
}

function time(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
