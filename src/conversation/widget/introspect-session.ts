import { judgeSession, judgingReads, type SessionRefusal } from "../../account/visitors/judge-session.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { testerRefusal } from "../agent-sessions/judge-tester.ts";
import { readTesterToken } from "../agent-sessions/tester-token.ts";
import { readSession } from "./visitor-session.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/** Returns the session that a token currently opens, or why the token is not valid in this account. */
export async function introspectSession({ env, store, now }: Context, token: string) {
  const claims = await readSession(env.SIGNING_KEYS, token, now);
  if ("refused" in claims) {
    // A tester's token has another purpose than a visitor's.
    return claims.refused === "invalid" ? introspectTest({ env, store, now }, token) : inactive(claims.refused);
  }
  const { sub, account, agent_id, visitor_type, key_id, fam, origin = null, made_by = null, exp } = claims;
  if (account !== store.account) return inactive("invalid");
  const session = { visitor_type, agent_id, key_id, fam, origin, made_by };
  const refusal = judgeSession(session, await store.read(...judgingReads(store, session)), now);
  if (refusal) return inactive(refusal);
  return { active: true as const, sub, visitor_type, agent_id, expires_at: new Date(exp * 1000).toISOString() };
}

/** Checks a tester's session in the same way as a visitor's. */
async function introspectTest(context: Context, token: string) {
  const tester = await readTesterToken(context.env.SIGNING_KEYS, token, context.now);
  if ("refused" in tester) return inactive(tester.refused);
  const { account, visitor, agent_id, expires_at } = tester;
  if (account !== context.store.account) return inactive("invalid");
  const refusal = await testerRefusal(context, tester);
  if (refusal) return inactive(refusal);
  const { id: sub, type: visitor_type } = visitor;
  return { active: true as const, sub, visitor_type, agent_id, expires_at: new Date(expires_at).toISOString() };
}

function inactive(reason: SessionRefusal | "expired") {
  return { active: false as const, reason };
}
