/** Computes a campaign's progress from its stream of events. */
import { isObject, type JsonObject, numberOf, textOf } from "../kernel/json.ts";

export interface Progress {
  status: string;
  /** Why the campaign paused itself; "" if it did not. */
  reason: string;
  total: number;
  counts: Record<string, number>;
}

export const STARTING: Progress = { status: "draft", reason: "", total: 0, counts: {} };
const DONE = ["completed", "failed", "cancelled"];
const MAX_BAR = 40;

/** Returns the progress after `event`. */
export function advance(progress: Progress, event: string, data: JsonObject): Progress {
  const { status, reason, total, counts } = progress;
  if (event === "snapshot") {
    return {
      status: textOf(data, "status"),
      reason: textOf(data, "status_reason"),
      total: numberOf(data, "total_contacts"),
      counts: countsOf(data),
    };
  }
  if (event === "campaign") {
    const fresh = countsOf(data);
    const counted = Object.values(fresh).reduce((sum, count) => sum + count, 0);
    return { status: textOf(data, "status"), reason: textOf(data, "reason"), total: counted || total, counts: fresh };
  }
  const before = textOf(data, "previous_status");
  const next: Record<string, number> = {};
  for (const name of new Set([...Object.keys(counts), before, event])) {
    next[name] = (counts[name] ?? 0) + (name === event ? 1 : 0) - (name === before ? 1 : 0);
  }
  return { status, reason, total, counts: next };
}

function countsOf(data: JsonObject): Record<string, number> {
  const counts = isObject(data.counts) ? data.counts : {};
  return Object.fromEntries(Object.keys(counts).map((name) => [name, numberOf(counts, name)]));
}

/** Returns the number of contacts that are finished. */
export const done = ({ counts }: Progress): number => DONE.reduce((sum, name) => sum + (counts[name] ?? 0), 0);

/** Checks whether the campaign does not change any more until a user acts. */
export const atRest = ({ status }: Progress): boolean => ["completed", "stopped", "paused"].includes(status);

/** Returns the progress bar, as wide as the terminal allows. */
export function bar(progress: Progress, columns: number): string {
  const { total, counts } = progress;
  const ready = done(progress);
  const share = total === 0 ? 0 : Math.min(1, ready / total);
  const calling = (counts.originated ?? 0) + (counts.connected ?? 0);
  const words = ` ${Math.floor(share * 100)}% ${ready}/${total}, ${calling} calling`;
  const width = Math.max(0, Math.min(MAX_BAR, columns - words.length - 1));
  const filled = Math.round(share * width);
  return `${"█".repeat(filled)}${"░".repeat(width - filled)}${words}`.trim();
}

/** Returns the outcome in one line. */
export function summary({ status, reason, counts, total }: Progress): string {
  const parts = DONE.flatMap((name) => (counts[name] ? [`${counts[name]} ${name}`] : []));
  const why = reason === "" ? "" : ` (${reason})`;
  return `The campaign is ${status}${why}: ${total} contacts${parts.length > 0 ? `, ${parts.join(", ")}` : ""}.`;
}
