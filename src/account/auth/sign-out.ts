import type { Context } from "hono";
import pMap from "p-map";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { lookUps, ownStore } from "../../kernel/http/stores.ts";

/** Gates notified at a time: a provider's token may open many accounts. */
const AT_ONCE = 6;

/** Ends the caller's session in every account that its token opens. */
export async function signOut(c: Context<AppEnv>): Promise<void> {
  const { account, subject, session } = c.get("principal");
  if (!session) return;
  const others = session.elsewhere;
  const existing = others.length > 0 ? await lookUps(c).named(others.map((other) => other.account)) : [];
  const there = others.filter((other) => existing.some(({ name }) => name === other.account));
  await pMap(there, (other) => accountGate(c.env, other.account).endSession(other.id, other.expiresAt), {
    concurrency: AT_ONCE,
  });
  await ownStore(c).note({ action: "sign_out", resource: "user", resource_id: subject });
  // The gate that admits this request comes last, so that the request can be retried if another one failed.
  await accountGate(c.env, account).endSession(session.id, session.expiresAt);
}
