/**
 * The monthly cost of calls at Cloudflare, in dollars; docs/deploy.md shows the result. The prices are those of Workers
 * Paid and R2 Standard, as published at developers.cloudflare.com in November 2026.
 */

/** The amount included each month, and the price of the units beyond it. */
interface Price {
  included: number;
  dollars: number;
  per: number;
}
const MILLION = 1_000_000;
const PLAN_DOLLARS = 5;

const PRICES = {
  workerRequests: { included: 10 * MILLION, dollars: 0.3, per: MILLION },
  workerCpuMs: { included: 30 * MILLION, dollars: 0.02, per: MILLION },
  objectRequests: { included: MILLION, dollars: 0.15, per: MILLION },
  /** GB-s of objects in memory, 128 MB each. */
  objectDuration: { included: 400_000, dollars: 12.5, per: MILLION },
  rowsRead: { included: 25_000 * MILLION, dollars: 0.001, per: MILLION },
  rowsWritten: { included: 50 * MILLION, dollars: 1, per: MILLION },
  /** GB-months of objects' SQLite. */
  objectStorage: { included: 5, dollars: 0.2, per: 1 },
  r2Writes: { included: MILLION, dollars: 4.5, per: MILLION },
  r2Reads: { included: 10 * MILLION, dollars: 0.36, per: MILLION },
  /** GB-months. */
  r2Storage: { included: 10, dollars: 0.015, per: 1 },
} satisfies Record<string, Price>;
export type Item = keyof typeof PRICES;

/** A campaign's call: answered, two minutes long, recorded, and read afterwards. */
export const CALL = {
  minutes: 2,
  /** The conversation is in memory during the call. All other objects together are in memory for about 2 s. */
  objectSeconds: 132,
  /** How long recordings are kept, months; 90 days by default. */
  recordingMonths: 3,
  /** The age of the ledger, months. It grows until rows are deleted. */
  ledgerMonths: 12,
} as const;

/** The usage of one call; docs/deploy.md explains each number. */
const PER_CALL: Record<Item, number> = {
  workerRequests: 10,
  workerCpuMs: 50,
  objectRequests: 40,
  objectDuration: CALL.objectSeconds * 0.128,
  rowsRead: 600,
  rowsWritten: 200,
  objectStorage: (10_000 / 1e9) * CALL.ledgerMonths,
  r2Writes: 3,
  r2Reads: 1,
  r2Storage: ((CALL.minutes * 960_000 + 10_000) / 1e9) * CALL.recordingMonths,
};

/** Returns the monthly cost by item, and a `total` that includes the plan. */
export function monthlyCost(calls: number): Record<Item | "total", number> {
  const items = Object.entries(PRICES).map(([item, { included, dollars, per }]) => {
    const used = calls * PER_CALL[item as Item];
    return [item, (Math.max(0, used - included) / per) * dollars] as const;
  });
  const total = items.reduce((sum, [, dollars]) => sum + dollars, PLAN_DOLLARS);
  return Object.fromEntries([...items, ["total", total]]) as Record<Item | "total", number>;
}
