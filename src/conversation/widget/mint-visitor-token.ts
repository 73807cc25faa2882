import { eq, isNull } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { widgetKeys } from "../../kernel/db/schema/index.ts";
import type { Bindings, Principal } from "../../kernel/http/context.ts";
import { invalidField } from "../../kernel/http/errors.ts";
import { assertOwnAgent } from "../../kernel/http/own-agents.ts";
import { accountOfWidgetKey } from "../../kernel/secrets/api-key.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { noteUse } from "./key-use.ts";
import { pinnedToOwn } from "./own-keys.ts";
import { issueVisitorToken, VISITOR_TOKEN_LIFETIME_S } from "./visitor-session.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  principal: Principal;
  now: number;
}

const notOurKey = () => invalidField("client_key", "client_key_unknown", "no enabled widget key of this account");

/** Issues the token with which a customer's backend vouches for one of its users. @throws ApiError 400, 403 */
export async function mintVisitorToken(
  { env, store, principal, now }: Context,
  { clientKey, userId }: { clientKey: string; userId: string },
) {
  if (accountOfWidgetKey(clientKey) !== store.account) throw notOurKey();
  const isOpenKey = all(eq(widgetKeys.hash, await sha256Hex(clientKey)), isNull(widgetKeys.disabled_at));
  const isOwn = pinnedToOwn(principal);
  const ledger = new Ledger({ env, store });
  const [key] = await ledger.read(store.first(widgetKeys, { where: all(isOpenKey, isOwn) }));
  if (!key) {
    const [other] = await store.read(store.first(widgetKeys, { where: isOpenKey, columns: ["agent_id"] }));
    if (other) assertOwnAgent(principal, other.agent_id);
    throw notOurKey();
  }
  if (!(await noteUse(store, key, now))) throw notOurKey();
  await ledger.note(store.act({ action: "create", resource: "visitor_token", resource_id: userId }));
  const who = { sub: userId, account: store.account, key_id: key.id, made_by: principal.subject };
  return {
    visitor_token: await issueVisitorToken(env.SIGNING_KEYS, who, now),
    expires_in: VISITOR_TOKEN_LIFETIME_S,
  };
}
