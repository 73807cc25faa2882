/**
 * What Cloudflare charges a month, in dollars, for this many calls: docs/deploy.md shows the result. Prices are of
 * Workers Paid and R2 Standard, as published at developers.cloudflare.com and read in November 2026.
 */

/** What is included each month, and the price of a unit beyond it. */
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

/** A campaign's call that is answered, talked through for two minutes and recorded, with what is read of it afterwards. */
export const CALL = {
  minutes: 2,
  /** The conversation is in memory while it lasts; all other objects together for about two seconds. */
  objectSeconds: 132,
  /** How long recordings are kept, months: 90 days by default. */
  recordingMonths: 3,
  /** How long the ledger has been filling, months; it keeps what is not deleted. */
  ledgerMonths: 12,
} as const;

/** What one call uses. Where it comes from is in docs/deploy.md. */
export const PER_CALL: Record<Item, number> = {
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

/** The month's bill by item, and `total` with the plan. */
export function monthlyCost(calls: number): Record<Item | "total", number> {
  const items = Object.entries(PRICES).map(([item, { included, dollars, per }]) => {
    const used = calls * PER_CALL[item as Item];
    return [item, (Math.max(0, used - included) / per) * dollars] as const;
  });
  const total = items.reduce((sum, [, dollars]) => sum + dollars, PLAN_DOLLARS);
  return Object.fromEntries([...items, ["total", total]]) as Record<Item | "total", number>;
}
