import { LONGEST_DELIVERY_MS } from "../../../kernel/durable/outbox.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import type { Step } from "../step.ts";
import { deleteFiles } from "./files.ts";
import { endLive } from "./live.ts";
import { emptyObjects } from "./objects.ts";
import { deleteRows } from "./rows.ts";
import { settle } from "./settle.ts";

/**
 * The steps of a deletion in order. What is live ends first. Objects and files go while D1 still lists them. Once the
 * account's row is gone too, what was admitted before has time to end, and what it may have left goes as well. An object
 * that fails holds up files and rows for an hour, and the completion until it is empty. Jobs store their progress under
 * these names.
 */
export const STEPS = {
  live: endLive,
  objects: emptyObjects({ passedOverAfterMs: HOUR_MS, arrivalMs: 0 }),
  files: deleteFiles,
  rows: deleteRows,
  settle,
  last_objects: emptyObjects({ passedOverAfterMs: null, arrivalMs: LONGEST_DELIVERY_MS }),
  last_files: deleteFiles,
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof STEPS;
export const STEP_NAMES = Object.keys(STEPS) as StepName[];
