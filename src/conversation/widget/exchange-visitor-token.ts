import { eq } from "drizzle-orm";
import { admitVisitor, isOpen, keyDisabled } from "../../account/visitors/policy.ts";
import { maySignIn, signerRead } from "../../account/visitors/signer.ts";
import { assemble, widgetReads } from "../../account/visitors/widget-lookup.ts";
import { assertOpen } from "../../kernel/db/account-store.ts";
import { widgetKeys } from "../../kernel/db/schema/index.ts";
import { spendOnce } from "../../kernel/db/spend-once.ts";
import { invalidField } from "../../kernel/http/errors.ts";
import { allowCaller } from "./cors.ts";
import type { VisitorContext } from "./visitor-context.ts";
import { issueSession, newFamily, readVisitorToken, rememberUntil } from "./visitor-session.ts";

const badToken = () => invalidField("visitor_token", "token_invalid", "is invalid, has expired or was already used");

/** Begins a session for the user that a backend's token speaks of; the token is good once. @throws ApiError 400, 403 */
export async function exchangeVisitorToken(context: VisitorContext, token: string) {
  const { env, page, now } = context;
  const claims = await readVisitorToken(env.SIGNING_KEYS, token, now);
  if (!claims) throw badToken();
  const { sub, account, key_id } = claims;
  const store = context.openStore(account);
  const [standing, signer, spent, , ...found] = await store.record(
    store.standing(),
    signerRead(store, claims.made_by),
    ...spendOnce(store, claims.jti, rememberUntil(claims), now),
    ...widgetReads(store, eq(widgetKeys.id, key_id)),
  );
  assertOpen(standing);
  const widget = assemble(...found);
  if (!widget) throw keyDisabled();
  const origin = allowCaller(page, widget.key.domain_allowlist, undefined);
  if (!isOpen(widget)) throw keyDisabled();
  if (spent.length === 0 || !maySignIn(signer, widget.key.agent_id, now)) throw badToken();
  const agent = admitVisitor(widget, "user");
  const visitor = { sub, account, agent_id: agent.id, visitor_type: "user", key_id, origin } as const;
  return issueSession(env.SIGNING_KEYS, visitor, newFamily(now, claims.made_by), now);
}
