import { eq } from "drizzle-orm";
import type { AccountStore } from "../db/account-store.ts";
import { widgetKeys } from "../db/schema/index.ts";
import type { Bindings } from "../http/context.ts";
import { familyRead } from "./families.ts";
import { admits } from "./origins.ts";
import { isOpen, sessionRefusal } from "./policy.ts";
import { readSession } from "./visitor-session.ts";
import { assemble, widgetReads } from "./widget-lookup.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/** Whose session a token is, as things stand now; why not, for one that is none of this account's. */
export async function introspectSession({ env, store, now }: Context, token: string) {
  const session = await readSession(env.SIGNING_KEYS, token, now);
  if ("refused" in session) return { active: false as const, reason: session.refused };
  const { sub, account, agent_id, visitor_type, key_id, fam = "", origin, exp } = session;
  const inactive = <R extends string>(reason: R) => ({ active: false as const, reason });
  if (account !== store.account) return inactive("invalid");
  const [family, ...found] = await store.read(
    familyRead(store, fam),
    ...widgetReads(store, eq(widgetKeys.id, key_id), agent_id),
  );
  const widget = assemble(...found);
  if (!isOpen(widget)) return inactive("key_disabled");
  const hasEnded = family?.current === null;
  if (hasEnded || (origin && !admits(widget.key.domain_allowlist, origin))) return inactive("invalid");
  const refusal = sessionRefusal(widget, session);
  if (refusal === "widget_disabled" || refusal === "guest_not_allowed") return inactive(refusal);
  if (refusal) return inactive("invalid");
  return { active: true as const, sub, visitor_type, agent_id, expires_at: new Date(exp * 1000).toISOString() };
}
