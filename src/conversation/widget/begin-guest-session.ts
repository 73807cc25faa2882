import { eq } from "drizzle-orm";
import { admitVisitor, isOpen, unknownKey } from "../../account/visitors/policy.ts";
import { assemble, widgetReads } from "../../account/visitors/widget-lookup.ts";
import { assertOpen } from "../../kernel/db/account-store.ts";
import { widgetKeys } from "../../kernel/db/schema/index.ts";
import { accountOfWidgetKey } from "../../kernel/secrets/api-key.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import { allowOrigin, requireOrigin } from "./cors.ts";
import { noteUse } from "./key-use.ts";
import type { VisitorContext } from "./visitor-context.ts";
import { issueSession, newFamily } from "./visitor-session.ts";

/** Begins a session for somebody on a page nobody knows anything of. @throws ApiError where the key or its agent is not for guests there */
export async function beginGuestSession(context: VisitorContext, clientKey: string) {
  const { env, page, now } = context;
  const account = accountOfWidgetKey(clientKey);
  if (account === null) throw unknownKey();
  const origin = requireOrigin(page);
  const store = context.openStore(account);
  const isKey = eq(widgetKeys.hash, await sha256Hex(clientKey));
  const [standing, ...found] = await store.read(store.standing(), ...widgetReads(store, isKey));
  assertOpen(standing);
  const widget = assemble(...found);
  if (!widget) throw unknownKey();
  const { key } = widget;
  allowOrigin(page, key.domain_allowlist);
  if (!isOpen(widget)) throw unknownKey();
  const agent = admitVisitor(widget, "guest");
  if (!(await noteUse(store, key, now))) throw unknownKey();
  const sub = crypto.randomUUID();
  const visitor = { sub, account, agent_id: agent.id, visitor_type: "guest", key_id: key.id, origin } as const;
  return issueSession(env.SIGNING_KEYS, visitor, newFamily(now), now);
}
