import { z } from "zod";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { openCursor, sealCursor } from "../../kernel/http/cursor.ts";
import type { OfAgents } from "../../kernel/http/own-agents.ts";
import { pageOfConversations } from "../ledger/conversation-lists.ts";
import { Ledger } from "../ledger/ledger.ts";
import type { ConversationRow } from "../ledger/report.ts";
import type { ConversationFilters } from "./contract.ts";

interface Context {
  env: Pick<Bindings, "ACCOUNT_LEDGER" | "SIGNING_KEYS">;
  store: AccountStore;
}
interface Query extends ConversationFilters, OfAgents {
  after?: string | undefined;
  limit: number;
}

/** The position after a page's last row, as the cursor encodes it. */
const cursor = z.tuple([z.string(), z.string()]).transform(([started_at, id]) => ({ started_at, id }));

/**
 * Returns a page of conversations, newest first, and the cursor of the next page.
 * @throws ApiError 400 if `after` is not a cursor of this list
 */
export async function listConversations(
  { env, store }: Context,
  { after, limit, ...filters }: Query,
): Promise<{ rows: ConversationRow[]; next: string | null }> {
  const list = { account: store.account, list: "conversations" };
  const from = after === undefined ? null : await openCursor(env, list, after, cursor);
  const { rows, next } = await pageOfConversations(new Ledger({ env, store }), filters, from, limit);
  return { rows, next: next && (await sealCursor(env, list, [next.started_at, next.id])) };
}
