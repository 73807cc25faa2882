import type { z } from "zod";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { Subject } from "../../kernel/personal-data.ts";
import type { Provider } from "../../phone/carriers/carrier.ts";
import type { Ledger } from "../../records/ledger/ledger.ts";
import type { Counts } from "./counts.ts";

/** How a person is found where the ledger no longer leads to them. */
export const TRACES = ["call", "conversation", "recording"] as const;
export type TraceKind = (typeof TRACES)[number];
export interface Trace {
  kind: TraceKind;
  id: string;
}

/** A recording that its carrier is to delete. */
export interface CarrierRecording {
  call_id: string;
  source_id: string;
  provider: Provider;
  credentials_id: string | null;
}

/** What the steps of an erasure work with. */
export interface Erasing {
  env: Env;
  store: AccountStore;
  ledger: Ledger;
  subject: Subject;
  /** E.164; null if the person is not found by a number. */
  number: string | null;
  /** Null if the person is not found as a visitor. */
  visitor: string | null;
  /** What others know this pass of the erasure by. */
  order: string;
  /** What was found so far, in order: `limit` entries after one. */
  traces(kind: TraceKind, after?: string, limit?: number): string[];
  /** What carriers are still to delete, and how often that was tried. */
  carrierRecordings(limit: number): (CarrierRecording & { tries: number })[];
}

/** The result of a step's run, stored in one transaction with where the job continues. */
export interface StepResult {
  /** Where the step continues; null at its end. */
  next: unknown;
  counts?: Partial<Counts>;
  /** The total so far of a counterpart that counts by itself. */
  absolute?: { of: string; counts: Partial<Counts> };
  /** What was found; everything is counted when first seen, before any of it is deleted. */
  traces?: Trace[];
  /** What carriers are to delete from now on. */
  found?: CarrierRecording[];
  /** What carriers need not delete any more. */
  settled?: CarrierRecording[];
  /** What carriers could not delete this time. */
  tried?: CarrierRecording[];
  /** It cannot go on yet, and is run again a little later. */
  wait?: true;
  /** Something is left for another pass. */
  unsettled?: boolean;
}

/** Bounded work that can be repeated from the same place: what was done before it finds done. */
export type Step = (work: Erasing, place: unknown) => Promise<StepResult>;

/** A step whose places have this form. */
export function step<Place>(
  form: z.ZodType<Place>,
  run: (work: Erasing, place: Place | null) => Promise<StepResult>,
): Step {
  return (work, place) => run(work, place === null ? null : form.parse(place));
}
