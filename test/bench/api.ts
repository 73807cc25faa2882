import { startFloor } from "./api/floor.ts";
import { type Load, requestsPerSecond } from "./api/load.ts";
import { profile } from "./api/profile.ts";
import { countRoundTrips } from "./api/round-trips.ts";
import { prepareRows, type Row } from "./api/rows.ts";
import { benchStartUp } from "./api/start-up.ts";
import { median } from "./figures.ts";
import type { Inspector } from "./inspector.ts";
import { type Service, startService } from "./service.ts";
import type { RoundTrips } from "./yardstick/trips.ts";

const ROUNDS = 3;
const WARM_UP_MS = 1_000;
const ROUND_MS = 700;
const PROFILED_MS = 2_000;
/** Calls ring for as long as the bench takes, so that their reports do not disturb it. */
const QUIET_CALLS = { SANDBOX_RING_MS: "3600000" };

/**
 * Measures how many requests a second the service answers, alternating with a bare Worker that makes the same round
 * trips. With `profiled`, it shows instead where the service spends its time.
 */
export async function benchApi(profiled: boolean): Promise<void> {
  console.log("api: requests per second over 16 connections; floor: a bare Worker with the fewest round trips");
  const service = await startService(QUIET_CALLS, { inspected: profiled });
  try {
    const rows = await prepareRows(service);
    if (service.inspector) return await showProfiles(service.base, service.inspector, rows);
    const figures = await measure(service, rows);
    await service.halt();
    await benchStartUp(service.script);
    show(rows, figures, await countRoundTrips(service.stateDir, service.variables, rows));
  } finally {
    await service.stop();
  }
}

interface Figures {
  service: number;
  floor: number;
}

/** Measures each row on each side in turn, several times. Returns the medians of these rounds. */
async function measure(service: Service, rows: Row[]): Promise<Figures[]> {
  const floor = await startFloor(service.base, rows);
  try {
    const sides: Side[] = [
      { name: "service", base: service.base, loadOf: ({ load }) => load },
      { name: "floor", base: floor.base, loadOf: ({ load }, n) => ({ ...load, path: `/${n}` }) },
    ];
    const rates = rows.map(() => ({ service: [] as number[], floor: [] as number[] }));
    // Measured row by row. Calls and agents that were just created keep the service busy for a while, so those rows
    // come last.
    for (const [n, row] of rows.entries()) {
      for (let round = -1; round < ROUNDS; round++) {
        for (const { name, base, loadOf } of sides) {
          const rate = await requestsPerSecond(base, loadOf(row, n), round < 0 ? WARM_UP_MS : ROUND_MS);
          if (round >= 0) rates[n]?.[name].push(rate);
        }
      }
    }
    return rates.map(({ service, floor }) => ({ service: median(service), floor: median(floor) }));
  } finally {
    await floor.stop();
  }
}

interface Side {
  name: keyof Figures;
  base: string;
  loadOf(row: Row, n: number): Load;
}

function show(rows: Row[], figures: Figures[], trips: RoundTrips[]): void {
  const line = (name: string, cells: string[]) =>
    console.log(`  ${name.padEnd(33)}${cells.map((cell) => cell.padStart(10)).join("")}`);
  line("", ["service/s", "floor/s", "of floor", "objects", "D1"]);
  for (const [n, { name }] of rows.entries()) {
    const { service = Number.NaN, floor = Number.NaN } = figures[n] ?? {};
    const { objects = 0, d1 = 0, replica = 0 } = trips[n] ?? {};
    line(name, [
      service.toFixed(0),
      floor.toFixed(0),
      (service / floor).toFixed(2),
      String(objects),
      String(d1 + replica),
    ]);
  }
}

/** Shows where the service spends its time, request by request. */
async function showProfiles(base: string, inspector: Inspector, rows: Row[]): Promise<void> {
  for (const { name, load } of rows) {
    await requestsPerSecond(base, load, WARM_UP_MS);
    let rate = 0;
    const shares = await profile(inspector, async () => {
      rate = await requestsPerSecond(base, load, PROFILED_MS);
    });
    console.log(`  ${name}: ${rate.toFixed(0)}/s while profiled\n    ${shares.join("\n    ")}`);
  }
}
