import { z } from "zod";
import { NumberMask } from "../../../kernel/mask-number.ts";
import { forgetNumber, maskReasons } from "../../../phone/do-not-call/forget-number.ts";
import { step } from "../step.ts";

/** Entries scanned at a time. */
const ENTRIES = 500;

/** Keeps the number's opt-out without the number, and masks it in the reasons of others. */
export const hashOptOut = step(z.string(), async ({ env, store, number }, after) => {
  if (number === null) return { next: null };
  const opt_outs = after === null ? await forgetNumber({ env, store }, number) : 0;
  const { masked, next } = await maskReasons(store, new NumberMask(number), after ?? "", ENTRIES);
  return { counts: { opt_outs, mentions: masked }, next };
});
