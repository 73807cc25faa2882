import { eq } from "drizzle-orm";
import { assertVersion, findAgent } from "../../agent/versions/find-version.ts";
import { assertMayChange, mayChangeAnything } from "../../agent/versions/may-change.ts";
import { notPublished, taken, type Wanted } from "../../agent/versions/taken.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents } from "../../kernel/db/schema/index.ts";
import { runtimeUrl } from "../../kernel/http/base-url.ts";
import type { Bindings, Principal } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { issueTesterToken } from "./tester-token.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  principal: Principal;
  now: number;
  newId: () => string;
}

/** Begins a session in which the principal tries an agent of the account. @throws ApiError 403, 404, 409 `not_published` */
export async function beginSession(
  { env, store, principal, now, newId }: Context,
  agent_id: string,
  { variables, version }: { variables: Record<string, string>; version: Wanted },
) {
  await assertMayTry(store, principal, agent_id, version);
  const ledger = new Ledger({ env, store });
  const [agent] = await ledger.read(store.first(agents, { where: eq(agents.id, agent_id), columns: ["id", "name"] }));
  if (!agent) throw notFound("agent");
  const conversation_id = newId();
  const { id: resource_id, name: resource_name } = agent;
  const act = store.act({ action: "create", resource: "agent_session", resource_id, resource_name });
  await ledger.note(act, conversation_id);
  const test = { id: conversation_id, agent_id: agent.id, variables, version };
  const { access_token, expires_in } = await issueTesterToken(env.SIGNING_KEYS, principal, test, now);
  return {
    access_token,
    token_type: "Bearer" as const,
    expires_in,
    runtime_url: runtimeUrl(env),
    agent_id: agent.id,
    conversation_id,
  };
}

/**
 * Refuses a tester who may not run the tools of the tested version, or whose test would store more than live
 * conversations do.
 * @throws ApiError 403, 404, 409
 */
async function assertMayTry(store: AccountStore, tester: Principal, agent_id: string, version: Wanted): Promise<void> {
  if (mayChangeAnything(tester)) {
    if (version !== "draft") await assertVersion(store, agent_id, version);
    return;
  }
  const found = await findAgent(store, agent_id, typeof version === "number" ? [version] : []);
  const tried = taken(found, version);
  if (tried === "not_published") throw notPublished();
  if (tried === "unknown_version") throw notFound("agent version");
  const live = (found.inForce?.content ?? found.draft).fields;
  // A tester chooses the tools' arguments, even those of tools that visitors can use. Transfers need no check, because
  // a test has no caller.
  const { content } = tried;
  const { transfer_targets } = content.fields;
  assertMayChange(tester, { fields: Object.assign({}, live, { transfer_targets }), tools: [] }, content);
}
