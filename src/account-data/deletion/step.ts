import type { z } from "zod";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { Deleted, DeletionRow, DeletionStore } from "../../kernel/db/deletion-store.ts";
import type { HeldBy } from "../../kernel/db/schema/index.ts";

export interface Deleting {
  env: Env;
  store: AccountStore;
  deletion: DeletionStore;
  row: DeletionRow;
  /** The current time, ms. */
  now: number;
}

/** The result of a step's run: what it deleted, and where it continues. */
export interface StepResult {
  /** The position where the step continues; null when it is done. */
  next: unknown;
  deleted?: Partial<Deleted>;
  /** When (ms) the step can continue, unless it can at once. */
  waitUntil?: number;
  /** The objects that block the deletion from now on; omitted if they are unchanged. */
  heldBy?: HeldBy[];
}

/** A bounded piece of work. It can be repeated from the same position, because it then finds nothing left to delete. */
export type Step = (work: Deleting, cursor: unknown) => Promise<StepResult>;

/** Returns a step that validates its stored position. */
export function step<Cursor>(
  form: z.ZodType<Cursor>,
  run: (work: Deleting, cursor: Cursor | null) => Promise<StepResult>,
): Step {
  return (work, cursor) => run(work, cursor === null ? null : form.parse(cursor));
}
