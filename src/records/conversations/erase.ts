import pMap from "p-map";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { ActEntry } from "../../kernel/db/audited.ts";
import { campaignObject, conversationObject } from "../../kernel/durable/objects.ts";
import { analysisKey } from "../analysis/archive.ts";
import { eraseTests } from "../ledger/erase-tests.ts";
import { archiveKey } from "../ledger/file-keys.ts";
import { Ledger } from "../ledger/ledger.ts";
import { heldByCampaigns } from "../ledger/outcome-holder.ts";
import type { ConversationRow } from "../ledger/report.ts";

/** The number of objects that are called at a time. */
const CONCURRENT_OBJECTS = 6;

/** The columns that an erasure needs. */
export type ErasedConversation = Pick<ConversationRow, "id" | "session_key" | "campaign_id" | "call_id">;

/** A conversation that could not be erased. It is still stored, so the erasure can be repeated. */
export interface ErasureFailure {
  id: string;
  error: unknown;
}

interface Order<Row extends ErasedConversation> {
  rows: Row[];
  /** Whether the conversation's own object may still store parts of it. */
  isHeld: (row: Row) => boolean;
  /** The audit log entry; null if the erasure is not audited. */
  entry: ActEntry | null;
}

/**
 * Erases conversations of one account from every store: their objects, the campaign contacts that link to them, the
 * tests made from them, R2 and finally their rows. The rows are deleted last, so that an erasure that fails earlier can
 * be repeated. The ledger keeps the ids, so that a late report does not restore a conversation. Returns the
 * conversations that could not be erased.
 */
export async function eraseConversations<Row extends ErasedConversation>(
  {
    env,
    store,
  }: {
    env: Pick<Env, "ACCOUNT_LEDGER" | "CONVERSATION" | "CAMPAIGN" | "CONVERSATIONS" | "TEST_RUN">;
    store: AccountStore;
  },
  { rows, isHeld, entry }: Order<Row>,
): Promise<ErasureFailure[]> {
  const failed = await eachTry(rows.filter(isHeld), ({ id, session_key }) =>
    // A visitor's object may already hold a later conversation, which must not be erased.
    conversationObject(env, store.account, session_key).erase(id),
  );
  const lost = new Map(failed.map(({ row, error }) => [row.id, error]));
  const held = heldByCampaigns(rows.filter(({ id }) => !lost.has(id)));
  const untold = await eachTry([...held], ([campaign, calls]) =>
    campaignObject(env, store.account, campaign).unlinkConversations(calls),
  );
  for (const { row, error } of untold)
    for (const { id, campaign_id } of rows) if (campaign_id === row[0] && !lost.has(id)) lost.set(id, error);
  const erased = rows.map(({ id }) => id).filter((id) => !lost.has(id));
  if (erased.length > 0) {
    await eraseTests({ env, store }, erased);
    await env.CONVERSATIONS.delete(erased.map((id) => archiveKey(store.account, id)));
    await env.CONVERSATIONS.delete(erased.map((id) => analysisKey(store.account, id)));
    // If the entry cannot be stored, the rows stay, so that the erasure is repeated.
    const ledger = new Ledger({ env, store });
    if (entry) await ledger.note(store.act(entry), entry.resource_id);
    await ledger.removeConversations(erased);
  }
  return [...lost].map(([id, error]) => ({ id, error }));
}

/** Does the work for each row, several rows at a time, and returns the rows for which it failed. */
async function eachTry<Row>(
  rows: Row[],
  work: (row: Row) => Promise<unknown>,
): Promise<{ row: Row; error: unknown }[]> {
  const failures = await pMap(
    rows,
    async (row) => {
      try {
        await work(row);
        return [];
      } catch (error) {
        return [{ row, error }];
      }
    },
    { concurrency: CONCURRENT_OBJECTS },
  );
  return failures.flat();
}
