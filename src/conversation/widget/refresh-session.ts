import { eq, ne } from "drizzle-orm";
import { admitAgain, isOpen, keyDisabled } from "../../account/visitors/policy.ts";
import { maySignIn, signerRead } from "../../account/visitors/signer.ts";
import { assemble, widgetReads } from "../../account/visitors/widget-lookup.ts";
import { type AccountStore, assertOpen } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { visitorFamilies, widgetKeys } from "../../kernel/db/schema/index.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import { invalid, invalidField } from "../../kernel/http/errors.ts";
import { allowCaller } from "./cors.ts";
import type { VisitorContext } from "./visitor-context.ts";
import { issueSession, nextToken, type RefreshClaims, readRefreshToken, rememberUntil } from "./visitor-session.ts";

const badToken = () => invalidField("refresh_token", "token_invalid", "is invalid, has expired or was already used");

const signerDisabled = () => invalid("the API key that signed the user in is no longer valid", "key_disabled");

/** Renews a session. A token that is used twice ends its family. @throws ApiError 400, 403 */
export async function refreshSession(context: VisitorContext, token: string) {
  const { env, page, now } = context;
  const claims = await readRefreshToken(env.SIGNING_KEYS, token, now);
  if (!claims) throw badToken();
  const store = context.openStore(claims.account);
  const next = nextToken(claims, now);
  const [accountStatus, rotated, ended, signer, ...found] = await store.record(
    store.accountStatus(),
    ...rotate(store, claims, next),
    signerRead(store, claims.made_by ?? null),
    ...widgetReads(store, eq(widgetKeys.id, claims.key_id), claims.agent_id),
  );
  // Everything that the family opened is closed, for both holders of the token.
  if (ended.length > 0) await accountGate(env, claims.account).accessChanged();
  assertOpen(accountStatus);
  const widget = assemble(...found);
  if (!widget) throw keyDisabled();
  const origin = allowCaller(page, widget.key.domain_allowlist, claims.origin);
  if (!isOpen(widget)) throw keyDisabled();
  if (rotated.length === 0) throw badToken();
  const { fam, auth_time, made_by } = claims;
  if (made_by !== undefined && !maySignIn(signer, claims.agent_id, now)) throw signerDisabled();
  admitAgain(widget, claims);
  return issueSession(env.SIGNING_KEYS, { ...claims, origin }, { fam, auth_time, made_by, next }, now);
}

/**
 * Replaces the presented token by `next`, if it is the family's current one. Only the first of two concurrent uses gets
 * a row. Any other use ends the family, because one of the two bearers must have stolen the token.
 */
function rotate(store: AccountStore, { fam, jti }: RefreshClaims, next: { jti: string; exp: number }) {
  const turn = { current: next.jti, expires_at: rememberUntil(next) };
  const isReused = all(eq(visitorFamilies.id, fam), ne(visitorFamilies.current, next.jti));
  return [
    store.upsert(
      visitorFamilies,
      { id: fam, ...turn },
      {
        target: [visitorFamilies.account, visitorFamilies.id],
        set: turn,
        setWhere: eq(visitorFamilies.current, jti),
      },
    ),
    store.update(visitorFamilies, { current: null }, isReused),
  ] as const;
}
