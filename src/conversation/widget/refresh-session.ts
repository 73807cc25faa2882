import { eq } from "drizzle-orm";
import { admitAgain, isOpen, keyDisabled } from "../../account/visitors/policy.ts";
import { assemble, widgetReads } from "../../account/visitors/widget-lookup.ts";
import { assertOpen } from "../../kernel/db/account-store.ts";
import { spentTokens, widgetKeys } from "../../kernel/db/schema/index.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import { invalidField } from "../../kernel/http/errors.ts";
import { allowCaller } from "./cors.ts";
import { rotate } from "./families.ts";
import type { VisitorContext } from "./visitor-context.ts";
import { issueSession, nextToken, readRefreshToken } from "./visitor-session.ts";

const badToken = () => invalidField("refresh_token", "token_invalid", "is invalid, has expired or was already used");

/** Renews a session; a token used twice ends its family. @throws ApiError 400, 403 */
export async function refreshSession(context: VisitorContext, token: string) {
  const { env, page, now } = context;
  const claims = await readRefreshToken(env.SIGNING_KEYS, token, now);
  if (!claims) throw badToken();
  const store = context.openStore(claims.account);
  const next = nextToken(claims, now);
  const [standing, rotated, ended, spent, ...found] = await store.record(
    store.standing(),
    ...rotate(store, claims, next),
    // The record that a release without families wrote.
    store.first(spentTokens, { where: eq(spentTokens.id, claims.jti) }),
    ...widgetReads(store, eq(widgetKeys.id, claims.key_id), claims.agent_id),
  );
  // Everything that the family opened is closed, for both bearers of the token.
  if (ended.length > 0) await accountGate(env, claims.account).liveStandingChanged();
  assertOpen(standing);
  const widget = assemble(...found);
  if (!widget) throw keyDisabled();
  const origin = allowCaller(page, widget.key.domain_allowlist, claims.origin);
  if (!isOpen(widget)) throw keyDisabled();
  if (rotated.length === 0 || spent) throw badToken();
  admitAgain(widget, claims);
  const { fam, auth_time } = claims;
  return issueSession(env.SIGNING_KEYS, { ...claims, origin }, { fam, auth_time, next }, now);
}
