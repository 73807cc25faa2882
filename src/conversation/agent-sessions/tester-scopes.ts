import type { AccountStore } from "../../kernel/db/account-store.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { SessionIdentity } from "../../kernel/http/context.ts";
import { readerBy } from "../../kernel/http/credential-holder.ts";
import type { Scope } from "../../kernel/scopes.ts";

/**
 * Returns the current scopes of a tester: none once the key or console session that asked for the test is invalid.
 * Returns null, without any request, if the session is not a test.
 */
export async function testerScopes(
  { env, store }: { env: Pick<Env, "ACCOUNT_GATE">; store: AccountStore },
  identity: SessionIdentity,
): Promise<readonly Scope[] | null> {
  if (identity.kind !== "test") return null;
  const reader = await readerBy(store, identity.holder);
  const authority = reader && (await accountGate(env, identity.account).authorityOfReader(reader));
  return authority?.scopes ?? [];
}
