import type { AccountStore } from "../../../kernel/db/account-store.ts";
import type { SessionIdentity } from "../../../kernel/http/context.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { Ledger } from "../../../records/ledger/ledger.ts";

interface Context {
  env: Pick<Env, "ACCOUNT_LEDGER">;
  store: AccountStore;
}

/** Longer than any conversation, ms. */
const LONGEST_MS = DAY_MS;

/**
 * Returns when (ms) the last conversation under this session's key ended; null if there was none, or if it ended long
 * before the session's token was issued.
 */
export async function lastEnd(context: Context, { kind, key, issued_at }: SessionIdentity): Promise<number | null> {
  const ledger = new Ledger(context);
  // A visitor's key is not an id. A conversation of this token began less than a day before it was issued.
  const last =
    kind === "widget" ? await ledger.lastOfSessionSince(key, issued_at - LONGEST_MS) : await ledger.lastOfSession(key);
  const ended = last?.ended_at ?? null;
  return ended === null ? null : Date.parse(ended);
}
