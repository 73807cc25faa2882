import type { z } from "zod";
import type { Erasing, Swept, TraceKind } from "../../kernel/erasure/sweep.ts";
import type { Provider } from "../../phone/carriers/carrier.ts";
import type { Ledger } from "../../records/ledger/ledger.ts";

export interface Trace {
  kind: TraceKind;
  id: string;
}

/** A recording that its carrier must delete. */
export interface CarrierRecording {
  call_id: string;
  source_id: string;
  provider: Provider;
  credentials_id: string | null;
}

export interface ErasureContext extends Erasing {
  ledger: Ledger;
  /** Returns recordings that carriers must still delete, with the number of attempts so far. */
  carrierRecordings(limit: number): (CarrierRecording & { tries: number })[];
}

/** The result of a step's run. It is stored in one transaction with the next position. */
export interface StepResult extends Swept {
  /** The data that was found. Everything is counted when it is first seen, before any of it is deleted. */
  traces?: Trace[];
  found?: CarrierRecording[];
  /** Recordings that carriers need no longer delete: they were deleted, must be kept, or were given up. */
  settled?: CarrierRecording[];
  /** Recordings that carriers could not delete this time. */
  tried?: CarrierRecording[];
}

/** A bounded piece of work. It can be repeated from the same position, because it then finds nothing left to do. */
export type Step = (work: ErasureContext, cursor: unknown) => Promise<StepResult>;

/** Returns a step that validates its stored position. */
export function step<Cursor>(
  form: z.ZodType<Cursor>,
  run: (work: ErasureContext, cursor: Cursor | null) => Promise<StepResult>,
): Step {
  return (work, cursor) => run(work, cursor === null ? null : form.parse(cursor));
}
