import { z } from "zod";
import { SECOND_MS } from "../../../kernel/time.ts";
import { DELETED_TABLES } from "../../stores.ts";
import { step } from "../step.ts";

/** How long to wait for a write that was in progress while the rows were deleted, ms. */
const LOOK_AGAIN_MS = 5 * SECOND_MS;

/**
 * Deletes the account's rows table by table, and its own row last. D1 refuses to delete that row while any row refers
 * to the account, so the step starts over if a row was written in the meantime.
 */
export const deleteRows = step(z.object({ table: z.enum(DELETED_TABLES) }), async ({ deletion, now }, at) => {
  const table = at?.table ?? DELETED_TABLES[0];
  if (table === undefined) return { next: null };
  const rows = await deletion.deleteRows(table);
  const following = rows > 0 ? table : DELETED_TABLES[DELETED_TABLES.indexOf(table) + 1];
  if (following !== undefined) return { deleted: { rows }, next: { table: following } };
  if (await deletion.deleteAccount()) return { next: null, deleted: { rows: 1 } };
  return { next: { table: DELETED_TABLES[0] }, waitUntil: now + LOOK_AGAIN_MS };
});
