import { eq } from "drizzle-orm";
import { type AccountStore, assertOpen } from "../../kernel/db/account-store.ts";
import { agents } from "../../kernel/db/schema/index.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import { readerBy } from "../../kernel/http/credential-holder.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import type { Tester } from "./tester-token.ts";

interface Context {
  env: Pick<Env, "ACCOUNT_GATE">;
  store: AccountStore;
  /** Milliseconds. */
  now: number;
}

/** Why a member or key may not, or may no longer, try an agent. */
type TesterRefusal = "expired" | "key_disabled" | "invalid";

const REFUSED: Record<TesterRefusal, string> = {
  expired: "the session has expired",
  key_disabled: "the API key that started the session is disabled",
  invalid: "the agent was deleted, or the person who started the session has signed out",
};

/**
 * Checks whether a member or key may still try the agent: the agent must exist, and the key or console session that
 * asked for the token must be valid. Returns null if so, otherwise the reason.
 * @throws AccountClosedError
 */
export async function testerRefusal(
  { env, store, now }: Context,
  { account, agent_id, holder, expires_at }: Tester,
): Promise<TesterRefusal | null> {
  if (expires_at <= now) return "expired";
  const mayStay = async () => {
    const reader = await readerBy(store, holder);
    return reader !== null && (await accountGate(env, account).mayStay(reader));
  };
  const [[accountStatus, agent], stays] = await Promise.all([
    store.read(store.accountStatus(), store.first(agents, { where: eq(agents.id, agent_id), columns: ["id"] })),
    mayStay(),
  ]);
  assertOpen(accountStatus);
  if (!agent) return "invalid";
  return stays ? null : "key_id" in holder ? "key_disabled" : "invalid";
}

/** @throws ApiError 403 with the reason why the agent may no longer be tried; AccountClosedError */
export async function judgeTester(context: Context, tester: Tester): Promise<void> {
  const refusal = await testerRefusal(context, tester);
  if (refusal) throw refused(refusal);
}

/** Checks without any request that a tester's token has not expired; `now` in ms. @throws ApiError 403 */
export function assertNotExpired({ expires_at }: Tester, now: number): void {
  if (expires_at <= now) throw refused("expired");
}

const refused = (refusal: TesterRefusal) => new ApiError(403, refusal, REFUSED[refusal]);
