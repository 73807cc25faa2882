import { eq } from "drizzle-orm";
import type { Author } from "../../kernel/db/account-store.ts";
import { erasures } from "../../kernel/db/schema/index.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { erasureObject } from "../../kernel/durable/objects.ts";
import { conflict } from "../../kernel/http/errors.ts";
import { audioKey } from "../../phone/recordings/audio-store.ts";
import { eraseConversations } from "../../records/conversations/erase.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { assertNotTooMany } from "../erasures/receipts.ts";
import { assertRestoring, type RestoreContext, type RestoreOf } from "./restore.ts";

/* Applies to the account being restored the removals and erasures that happened at the source after the backup. */

type Context = RestoreContext & { author: Author };

/** Removes conversations and recordings; missing ones are ignored. @throws ApiError 404, 409 */
export async function remove(
  context: Context,
  of: RestoreOf,
  { conversations, recordings }: { conversations: string[]; recordings: string[] },
): Promise<void> {
  await assertUnfinished(context, of);
  const { env, author } = context;
  const store = accountStore(env, of.account, author);
  const ledger = new Ledger({ env, store });
  if (recordings.length > 0) await env.RECORDINGS.delete(recordings.map((id) => audioKey(of.account, id)));
  for (const volume of await ledger.volumes()) {
    await volume.removeRecordings(recordings);
    await volume.deleteConversationRuns(conversations);
    const found = await Promise.all(conversations.map((id) => volume.findPerson({ conversation_id: id }, 1)));
    const rows = found.flatMap((one) => one.conversations);
    const [failure] = await eraseConversations({ env, store }, { rows, isHeld: () => true, entry: null });
    if (failure) throw failure.error;
  }
}

/** Begins an erasure (idempotent) and returns its status. @throws ApiError 404, 409, 429 */
export async function erase(
  context: Context,
  of: RestoreOf,
  { id, phone_number }: { id: string; phone_number: string },
): Promise<"pending" | "complete"> {
  await assertUnfinished(context, of);
  const { env, author } = context;
  const store = accountStore(env, of.account, author);
  const receipt = store.first(erasures, { where: eq(erasures.id, id), columns: ["status"] });
  const [existing] = await store.read(receipt);
  if (existing) return existing.status;
  assertNotTooMany(await erasureObject(env, of.account, id).begin({ phone_number }, author));
  return "pending";
}

/** @throws ApiError 404, 409 */
async function assertUnfinished(context: RestoreContext, of: RestoreOf): Promise<void> {
  if (await assertRestoring(context, of)) throw conflict("restore_finished", "the account is already restored");
}
