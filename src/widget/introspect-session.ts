import type { AccountStore } from "../db/account-store.ts";
import type { Bindings } from "../http/context.ts";
import { judgeSession, judgingReads } from "./judge-session.ts";
import { readSession } from "./visitor-session.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/** Whose session a token is, as things stand now; why not, for one that is none of this account's. */
export async function introspectSession({ env, store, now }: Context, token: string) {
  const claims = await readSession(env.SIGNING_KEYS, token, now);
  if ("refused" in claims) return { active: false as const, reason: claims.refused };
  const { sub, account, agent_id, visitor_type, key_id, fam = "", origin = null, exp } = claims;
  if (account !== store.account) return { active: false as const, reason: "invalid" as const };
  const session = { visitor_type, agent_id, key_id, fam, origin };
  const refusal = judgeSession(session, await store.read(...judgingReads(store, session)));
  if (refusal) return { active: false as const, reason: refusal };
  return { active: true as const, sub, visitor_type, agent_id, expires_at: new Date(exp * 1000).toISOString() };
}
