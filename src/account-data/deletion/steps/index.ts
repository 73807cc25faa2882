import { LONGEST_DELIVERY_MS } from "../../../kernel/durable/outbox.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import type { Step } from "../step.ts";
import { deleteFiles } from "./files.ts";
import { endLive } from "./live.ts";
import { emptyObjects } from "./objects.ts";
import { deleteRows } from "./rows.ts";
import { settle } from "./settle.ts";

/**
 * The steps of a deletion in order. Live calls end first. Objects and files are deleted while D1 still lists them.
 * After the account's row is deleted, requests that were admitted earlier get time to end, and whatever they left is
 * deleted too. A failing object delays files and rows for an hour, and delays completion until it is empty. Jobs store
 * their progress under these names.
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
