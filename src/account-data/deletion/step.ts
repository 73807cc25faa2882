import type { z } from "zod";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { Deleted, DeletionRow, DeletionStore } from "../../kernel/db/deletion-store.ts";
import type { HeldBy } from "../../kernel/db/schema/index.ts";

/** What the steps of a deletion work with. */
export interface Deleting {
  env: Env;
  store: AccountStore;
  deletion: DeletionStore;
  /** How the deletion is. */
  row: DeletionRow;
  /** The time, ms. */
  now: number;
}

/** The result of a step's run: what it deleted, and where it continues. */
export interface StepResult {
  /** Where the step continues; null at its end. */
  next: unknown;
  deleted?: Partial<Deleted>;
  /** When (ms) it can continue, if not at once. */
  waitUntil?: number;
  /** The objects that hold the deletion up from now on; the same as before by default. */
  heldBy?: HeldBy[];
}

/** Bounded work that can be repeated from the same place: what was deleted before is not found again. */
export type Step = (work: Deleting, place: unknown) => Promise<StepResult>;

/** A step whose places have this form. */
export function step<Place>(
  form: z.ZodType<Place>,
  run: (work: Deleting, place: Place | null) => Promise<StepResult>,
): Step {
  return (work, place) => run(work, place === null ? null : form.parse(place));
}
