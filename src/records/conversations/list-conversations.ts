import { desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { conversations } from "../../kernel/db/schema/index.ts";
import { invalidField } from "../../kernel/http/errors.ts";
import type { ConversationFilters } from "./contract.ts";
import type { ConversationRow } from "./find-conversation.ts";

interface Page extends ConversationFilters {
  after?: string | undefined;
  limit: number;
}

/**
 * A page of conversations, newest first, in one round trip, and the cursor of the next one.
 * @throws ApiError 400 where `after` is no conversation of the account
 */
export async function listConversations(
  store: AccountStore,
  { after, limit, ...filters }: Page,
): Promise<{ rows: ConversationRow[]; next: string | null }> {
  const [last, found] = await store.read(
    store.first(conversations, { where: eq(conversations.id, after ?? ""), columns: ["id"] }),
    store.select(conversations, {
      where: all(wanted(filters), after === undefined ? undefined : olderThan(store.account, after)),
      orderBy: [desc(conversations.started_at), desc(conversations.id)],
      // One more tells whether there is another page.
      limit: limit + 1,
    }),
  );
  if (after !== undefined && !last) throw invalidField("after", "unknown_cursor", "no such conversation");
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

/** The next conversations of a long list, newest first; `last` may be gone by now. */
export async function conversationsAfter(
  store: AccountStore,
  filters: ConversationFilters,
  last: Pick<ConversationRow, "started_at" | "id"> | undefined,
  limit: number,
): Promise<ConversationRow[]> {
  const older = last && sql`(${conversations.started_at}, ${conversations.id}) < (${last.started_at}, ${last.id})`;
  const [rows] = await store.read(
    store.select(conversations, {
      where: all(wanted(filters), older),
      orderBy: [desc(conversations.started_at), desc(conversations.id)],
      limit,
    }),
  );
  return rows;
}

/** Those behind the conversation `after` in the order of the list. */
function olderThan(account: string, after: string): SQL {
  return sql`(${conversations.started_at}, ${conversations.id}) <
    (SELECT c.started_at, c.id FROM conversations c WHERE c.account = ${account} AND c.id = ${after})`;
}

/**
 * About what part of an account's conversations meets a filter. The planner takes the index of the rarest: told nothing,
 * it reads all conversations between two times, or all calls, to find those of one number.
 */
const SHARES = {
  call_id: 0.01,
  contact_id: 0.01,
  phone_number: 0.01,
  campaign_id: 0.04,
  agent_id: 0.05,
  disposition: 0.06,
};
const MOST = 0.9;

/** The conversations that meet all filters. */
function wanted({ since, until, kind, ...named }: ConversationFilters): SQL {
  const equal = Object.entries(SHARES).map(([name, share]) => {
    const column = name as keyof typeof SHARES;
    const value = named[column];
    return value === undefined ? undefined : likelihood(eq(conversations[column], value), share);
  });
  return all(
    ...equal,
    kind === undefined ? undefined : eq(conversations.kind, kind),
    since === undefined ? undefined : likelihood(gte(conversations.started_at, since), MOST),
    until === undefined ? undefined : likelihood(lt(conversations.started_at, until), MOST),
  );
}

function likelihood(condition: SQL, share: number): SQL {
  return sql`likelihood(${condition}, ${sql.raw(String(share))})`;
}
