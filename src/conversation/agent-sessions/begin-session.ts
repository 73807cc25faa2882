import { eq } from "drizzle-orm";
import { assertVersion } from "../../agent/versions/find-version.ts";
import type { Wanted } from "../../agent/versions/taken.ts";
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
  /** Makes the conversation's id. */
  newId: () => string;
}

/** A session in which the principal tries an agent of the account. @throws ApiError 404, 409 `not_published` */
export async function beginSession(
  { env, store, principal, now, newId }: Context,
  agent_id: string,
  { variables, version }: { variables: Record<string, string>; version: Wanted },
) {
  if (version !== "draft") await assertVersion(store, agent_id, version);
  const entry = { action: "create", resource: "agent_session", resource_id: agent_id };
  const agent = await store.disclose(entry, agents, eq(agents.id, agent_id));
  if (!agent) throw notFound("agent");
  const conversation_id = newId();
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
