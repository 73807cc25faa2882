import { eq, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { doNotCall } from "../../kernel/db/schema/index.ts";
import { announce } from "../../records/events/pending-events.ts";

/** Why and when numbers go on the do-not-call list. */
interface Listing {
  reason: string | null;
  /** ISO 8601. Repeated attempts of one request have the same time. */
  created_at: string;
  /** The conversation in which the person opted out; null if there is none. */
  conversation_id: string | null;
  /** The agent that held the conversation. */
  agent_id: string | null;
}

/**
 * Puts numbers on the account's do-not-call list and records an event for each new one. Numbers that are already listed
 * stay unchanged. All code that lists numbers uses these two statements, in one batch.
 */
export function listNumbers(store: AccountStore, numbers: string[], listing: Listing) {
  const { reason, created_at, conversation_id, agent_id } = listing;
  const { account, phone_number } = doNotCall;
  const added = store.upsertMany(
    doNotCall,
    numbers.map((number) => ({ phone_number: number })),
    {
      target: [account, phone_number],
      columns: ["reason"],
      when: sql`false`,
      common: { reason, conversation_id, created_at },
    },
  );
  const named = sql`${phone_number} IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`;
  const events = announce(store, "opt_out.added", {
    from: doNotCall,
    where: all(eq(doNotCall.created_at, created_at), named),
    resource: phone_number,
    at: doNotCall.created_at,
    data: { phone_number, reason: doNotCall.reason, conversation_id, agent_id, url: "/api/v1/do-not-call" },
  });
  return [added, events] as const;
}
