import { inArray, type SQL, sql } from "drizzle-orm";
import type { AccountStore, Read } from "../../kernel/db/account-store.ts";
import { conversations } from "../../kernel/db/schema/index.ts";

/** The conversations held on calls, by call. */
type Held = Pick<typeof conversations.$inferSelect, "id" | "call_id">[];

/** The read of the conversations of these calls, to go with the calls themselves; `ids` is a query of their ids. */
export function heldOn(store: AccountStore, ids: SQL): Read<Held> {
  return store.select(conversations, { where: inArray(conversations.call_id, ids), columns: ["id", "call_id"] });
}

/** The read of the conversation of one call. */
export function heldOnCall(store: AccountStore, id: string): Read<Held> {
  return heldOn(store, sql`(${id})`);
}
