import type { Context } from "hono";
import pMap from "p-map";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { lookUps, ownStore } from "../../kernel/http/stores.ts";

/** How many gates are told at a time: a provider's token may open many accounts. */
const AT_ONCE = 6;

/** Ends the session of who asks, in every account that its token opens. */
export async function signOut(c: Context<AppEnv>): Promise<void> {
  const { account, subject, session } = c.get("principal");
  if (!session) return;
  const others = session.accounts.filter((name) => name !== account);
  const existing = others.length > 0 ? await lookUps(c).named(others) : [];
  const end = (name: string) => accountGate(c.env, name).endSession(session.id, session.expiresAt);
  await pMap(existing, ({ name }) => end(name), { concurrency: AT_ONCE });
  await ownStore(c).note({ action: "sign_out", resource: "user", resource_id: subject });
  // The one that lets this request in comes last, so that it can be sent again if one of the others failed.
  await end(account);
}
