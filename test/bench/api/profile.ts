import { basename } from "node:path";
import type { Inspector } from "../inspector.ts";

/** Number of functions shown. */
const SHOWN = 8;
const SAMPLED_EVERY_US = 200;

interface CallFrame {
  functionName: string;
  url: string;
  /** Counted from 0; -1 outside of scripts. */
  lineNumber: number;
}
interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  timeDeltas: number[];
}

/** Returns the functions that took the most time during the work, the most expensive first, each with its share. */
export async function profile(inspector: Inspector, work: () => Promise<unknown>): Promise<string[]> {
  await inspector.ask("Profiler.enable");
  await inspector.ask("Profiler.setSamplingInterval", { interval: SAMPLED_EVERY_US });
  await inspector.ask("Profiler.start");
  await work();
  const { profile } = await inspector.ask<{ profile: CpuProfile }>("Profiler.stop");
  const own = selfTimes(profile);
  const busy = own.filter(([name]) => name !== "(idle)" && name !== "(program)");
  const all = busy.reduce((sum, [, time]) => sum + time, 0);
  return busy.slice(0, SHOWN).map(([name, time]) => `${((100 * time) / all).toFixed(1)} % ${name}`);
}

function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): [name: string, time: number][] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [i, sample] of samples.entries()) {
    const name = names.get(sample) ?? "";
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[i] ?? 0));
  }
  return [...times].toSorted(([, a], [, b]) => b - a);
}

function nameOf({ functionName, url, lineNumber }: CallFrame): string {
  if (lineNumber < 0) return functionName || "(runtime)";
  return `${functionName || "(anonymous)"} (${basename(url)}:${lineNumber + 1})`;
}
