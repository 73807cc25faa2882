import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Contact, Entry } from "./account.ts";
import type { PlannedKill } from "./kills.ts";
import type { Service } from "./service.ts";
import { outcomeOf, type StandInCarrier } from "./stand-in-carrier.ts";

/** Timeout for events that must happen, ms. It is long enough for a slow machine. */
export const WAIT = { timeout: 180_000, interval: 250 };

/** Kills the service at the planned moment. For "stop", `stop` stops the campaign and kills the service itself. */
export function killAt(
  { moment: plannedMoment, after }: PlannedKill,
  carrier: StandInCarrier,
  service: Service,
  stop: (kill: () => void) => Promise<void> = async (kill) => kill(),
): Promise<void> {
  const before = carrier.requests;
  return new Promise((resolve, reject) => {
    const kill = () => {
      carrier.onMoment = () => false;
      service.kill();
      resolve();
    };
    carrier.onMoment = (moment) => {
      if (carrier.requests - before < after) return false;
      if (plannedMoment === "stop") {
        carrier.onMoment = () => false;
        stop(kill).catch(reject);
        return false;
      }
      if (moment !== plannedMoment) return false;
      kill();
      return true;
    };
  });
}

/** Returns the result of the standalone verifier for an exported history. */
export async function verify(ndjson: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "switchboard-history-"));
  try {
    const file = join(folder, "history.ndjson");
    await writeFile(file, ndjson);
    const script = join(import.meta.dirname, "../../../src/dev/verify-history.ts");
    return (await promisify(execFile)(process.execPath, [script, file])).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

export function gapsIn(entries: Entry[]): number {
  return entries.filter(({ seq }, i) => seq !== i + 1).length;
}

export function summaryOf({ phone_number, status, outcome, attempt_count }: Contact): string {
  return `${phone_number} ${status} ${outcome} ${attempt_count}`;
}

export function numbers(n: number, first = 13_032_000_000): string[] {
  return Array.from({ length: n }, (_, i) => `+${first + i}`);
}

export function inTime<T>(promise: Promise<T>, failure: string): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(failure)), WAIT.timeout);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Returns the expected final state of a contact, according to the carrier. */
export function mustBe(number: string, dialled: ReadonlyMap<string, number>): string {
  if (!dialled.has(number)) return `${number} failed unknown 1`;
  const outcome = outcomeOf(number);
  return `${number} ${outcome === "completed" ? "completed answered" : `failed ${outcome.replace("-", "_")}`} 1`;
}
