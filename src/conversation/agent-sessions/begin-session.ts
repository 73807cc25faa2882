import { eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents } from "../../kernel/db/schema/index.ts";
import { runtimeUrl } from "../../kernel/http/base-url.ts";
import type { Bindings, Principal } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { issueTesterToken } from "./tester-token.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  principal: Principal;
  now: number;
  /** What the conversation is to be known by. */
  newId: () => string;
}

/** A session in which the principal tries an agent of the account. @throws ApiError 404 */
export async function beginSession(
  { env, store, principal, now, newId }: Context,
  agent_id: string,
  variables: Record<string, string>,
) {
  const entry = { action: "create", resource: "agent_session", resource_id: agent_id };
  const agent = await store.disclose(entry, agents, eq(agents.id, agent_id));
  if (!agent) throw notFound("agent");
  const conversation_id = newId();
  const test = { id: conversation_id, agent_id: agent.id, variables };
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
