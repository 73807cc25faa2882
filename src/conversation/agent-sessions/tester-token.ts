import { z } from "zod";
import type { Wanted } from "../../agent/versions/taken.ts";
import type { Principal, SessionIdentity } from "../../kernel/http/context.ts";
import { actorOf, credentialHolder, holderOf } from "../../kernel/http/credential-holder.ts";
import { judgeToken, signToken } from "../../kernel/secrets/tokens.ts";

/** A member or key of the account that tries an agent. */
export type Tester = Extract<SessionIdentity, { kind: "test" }>;

interface NewTest {
  id: string;
  agent_id: string;
  /** Variables that the agent's texts can name. */
  variables: Record<string, string>;
  /** The version of the agent to try. */
  version: Wanted;
}

/** The longest duration of a test, s. It cannot be renewed. */
const LIFETIME_S = 3600;

const claims = z.object({
  sub: z.uuid(),
  account: z.string(),
  agent_id: z.string(),
  holder: credentialHolder,
  variables: z.record(z.string(), z.string()),
  version: z.union([z.int(), z.enum(["draft", "live"])]),
  iat: z.number(),
  exp: z.number(),
});

const ms = (seconds: number) => seconds * 1000;

/**
 * Issues the token of a test. It expires no later than the session that asks for it; `now` in ms. @throws
 * SigningUnavailable
 */
export async function issueTesterToken(
  secret: string | undefined,
  principal: Principal,
  { id, agent_id, variables, version }: NewTest,
  now: number,
): Promise<{ access_token: string; expires_in: number }> {
  const left = principal.session ? Math.floor((principal.session.expiresAt - now) / 1000) : LIFETIME_S;
  const expires_in = Math.min(LIFETIME_S, left);
  const claims = { sub: id, account: principal.account, agent_id, holder: holderOf(principal), variables, version };
  return { access_token: await signToken(secret, "tester", claims, expires_in, now), expires_in };
}

/** Returns the tester of a token; `now` in ms. @throws SigningUnavailable */
export async function readTesterToken(
  secret: string | undefined,
  token: string,
  now: number,
): Promise<Tester | { refused: "expired" | "invalid" }> {
  const verdict = await judgeToken(secret, "tester", token, now);
  if ("refused" in verdict) return verdict;
  const { data } = claims.safeParse(verdict.claims);
  if (!data) return { refused: "invalid" };
  const { sub: key, account, agent_id, holder, variables, version, iat, exp } = data;
  const visitor = { id: actorOf(holder), type: "user" as const };
  const times = { issued_at: ms(iat), expires_at: ms(exp) };
  return { kind: "test", visitor, holder, variables, version, account, agent_id, key, ...times };
}
