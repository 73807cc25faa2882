import { z } from "zod";
import { MINUTE_MS } from "../../../kernel/time.ts";
import { step } from "../step.ts";

/** Longer than any isolate caches the account's existence or its ledger's volumes, ms. */
export const SETTLE_MS = 15 * MINUTE_MS;

/** Waits until no isolate has the account in its cache, so that nothing more is written for it. */
export const settle = step(z.object({ until: z.number() }), async ({ now }, at) => {
  const { until } = at ?? { until: now + SETTLE_MS };
  return now >= until ? { next: null } : { next: { until }, waitUntil: until };
});
