import type { DeletionRow } from "../../kernel/db/deletion-store.ts";
import type { HeldBy } from "../../kernel/db/schema/index.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import { withinTime } from "../../kernel/time-limit.ts";
import type { Deleting, StepResult } from "./step.ts";
import { STEP_NAMES, STEPS, type StepName } from "./steps/index.ts";

type Context = Pick<Deleting, "env" | "store" | "deletion"> & { clock: () => number };

/** The maximum duration of a round, ms. The next alarm continues. */
const ROUND_MS = 20_000;

/** The maximum duration of a piece of work, ms. The platform limits an alarm to 15 minutes. */
const LONGEST_PIECE_MS = 10 * MINUTE_MS;

const FIRST: StepName = STEP_NAMES[0] ?? "live";

/**
 * Continues the deletion of an account, or begins it if it is due. The position is stored in D1 after each piece of
 * work, so a crash repeats at most one piece, which then finds nothing left to delete. Returns when (ms) to continue;
 * null if the deletion is complete, canceled or unknown.
 */
export async function continueDeletion(context: Context): Promise<number | null> {
  const { store, deletion, clock } = context;
  const until = clock() + ROUND_MS;
  let row = await deletion.get();
  if (row?.status === "scheduled") {
    const begins = Date.parse(row.begins_at);
    if (clock() < begins) return begins;
    const [volumes] = await store.read(store.ledgerDays());
    await deletion.begin(volumes, FIRST, new Date(clock()).toISOString());
    row = await deletion.get();
  }
  return row?.status === "running" ? run(context, row, until) : null;
}

/** Runs steps until nothing is left to do, the deletion must wait, or `until` (ms) is reached. */
async function run(context: Context, begun: DeletionRow, until: number): Promise<number | null> {
  const { env, store, deletion, clock } = context;
  let row = begun;
  for (;;) {
    // If a later release stored a step that this one doesn't know, the steps start over. They skip what is already
    // deleted.
    const name = STEP_NAMES.find((one) => one === row.step) ?? FIRST;
    const work = { env, store, deletion, row, now: clock() };
    const objects = row.held_by.filter(({ object }) => object !== null);
    const { next, deleted, waitUntil, heldBy = objects } = await attempt(work, name);
    const following = next === null ? STEP_NAMES[STEP_NAMES.indexOf(name) + 1] : name;
    const counts = Object.assign({ objects: 0, files: 0, rows: 0 }, deleted);
    await deletion.note(counts, following ?? name, next, heldBy);
    if (following === undefined) {
      await deletion.complete(new Date(clock()).toISOString());
      return null;
    }
    row = Object.assign({}, row, { step: following, cursor: next, held_by: heldBy });
    if (waitUntil !== undefined) return waitUntil;
    if (clock() >= until) return clock();
  }
}

/**
 * Runs a piece of a step. If it fails, stores the step as the cause that blocks the deletion.
 * @throws what the step throws
 */
async function attempt(work: Deleting, name: StepName): Promise<StepResult> {
  const { deletion, row, now } = work;
  try {
    return await withinTime(STEPS[name](work, name === row.step ? row.cursor : null), LONGEST_PIECE_MS);
  } catch (error) {
    const isStep = ({ step, object }: HeldBy) => object === null && step === name;
    const failed = row.held_by.find(isStep) ?? { step: name, object: null, since: new Date(now).toISOString() };
    const objects = row.held_by.filter(({ object }) => object !== null);
    // The step's own failure must be reported even if D1 cannot store it.
    await deletion.noteHeld([...objects, failed]).catch(() => undefined);
    throw error;
  }
}
