import type { z } from "zod";
import type { Erasing, Swept, TraceKind } from "../../kernel/erasure/sweep.ts";
import type { Provider } from "../../phone/carriers/carrier.ts";
import type { Ledger } from "../../records/ledger/ledger.ts";

export interface Trace {
  kind: TraceKind;
  id: string;
}

/** A recording for its carrier to delete. */
export interface CarrierRecording {
  call_id: string;
  source_id: string;
  provider: Provider;
  credentials_id: string | null;
}

export interface ErasureContext extends Erasing {
  ledger: Ledger;
  /** Returns recordings that carriers have yet to delete, and how often that was tried. */
  carrierRecordings(limit: number): (CarrierRecording & { tries: number })[];
}

/** The result of a step's run, stored in one transaction with where the job continues. */
export interface StepResult extends Swept {
  /** What was found. Everything is counted when first seen, before any of it is deleted. */
  traces?: Trace[];
  found?: CarrierRecording[];
  /** Recordings that carriers need not delete any more. */
  settled?: CarrierRecording[];
  /** Recordings that carriers could not delete this time. */
  tried?: CarrierRecording[];
}

/** A bounded piece of work. It can be repeated from the same position: it finds nothing left to do. */
export type Step = (work: ErasureContext, cursor: unknown) => Promise<StepResult>;

/** Returns a step that validates its stored position. */
export function step<Cursor>(
  form: z.ZodType<Cursor>,
  run: (work: ErasureContext, cursor: Cursor | null) => Promise<StepResult>,
): Step {
  return (work, cursor) => run(work, cursor === null ? null : form.parse(cursor));
}
