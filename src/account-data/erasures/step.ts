import type { z } from "zod";
import type { Erasing, Swept, TraceKind } from "../../kernel/erasure/sweep.ts";
import type { Provider } from "../../phone/carriers/carrier.ts";
import type { Ledger } from "../../records/ledger/ledger.ts";

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
export interface ErasureContext extends Erasing {
  ledger: Ledger;
  /** What carriers are still to delete, and how often that was tried. */
  carrierRecordings(limit: number): (CarrierRecording & { tries: number })[];
}

/** The result of a step's run, stored in one transaction with where the job continues. */
export interface StepResult extends Swept {
  /** What was found; everything is counted when first seen, before any of it is deleted. */
  traces?: Trace[];
  /** What carriers are to delete from now on. */
  found?: CarrierRecording[];
  /** What carriers need not delete any more. */
  settled?: CarrierRecording[];
  /** What carriers could not delete this time. */
  tried?: CarrierRecording[];
}

/** Bounded work that can be repeated from the same place: what was done before it finds done. */
export type Step = (work: ErasureContext, place: unknown) => Promise<StepResult>;

/** A step whose places have this form. */
export function step<Place>(
  form: z.ZodType<Place>,
  run: (work: ErasureContext, place: Place | null) => Promise<StepResult>,
): Step {
  return (work, place) => run(work, place === null ? null : form.parse(place));
}
