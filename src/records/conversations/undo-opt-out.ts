import { eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { doNotCall } from "../../kernel/db/schema/index.ts";
import { conflict } from "../../kernel/http/errors.ts";
import type { ConversationRow } from "../ledger/report.ts";

/**
 * Removes the number of a conversation from the do-not-call list if this conversation put it there. Returns whether the
 * number is still on the list. @throws ApiError 409 `no_number`
 */
export async function undoOptOut(
  store: AccountStore,
  { id, phone_number }: Pick<ConversationRow, "id" | "phone_number">,
): Promise<boolean> {
  if (phone_number === null) throw conflict("no_number", "the conversation is without a phone number");
  const isNumber = eq(doNotCall.phone_number, phone_number);
  const [, listed] = await store.write(
    { action: "undo_opt_out", resource: "conversation", resource_id: id },
    store.delete(doNotCall, all(isNumber, eq(doNotCall.conversation_id, id))),
    store.count(doNotCall, isNumber),
  );
  return listed > 0;
}
