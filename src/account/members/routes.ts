import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../../kernel/http/context.ts";
import { ApiError, notFound } from "../../kernel/http/errors.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import { createReset } from "../auth/password-resets.ts";
import { sendMail } from "../mail/send-mail.ts";
import { resetMail } from "../mail/texts.ts";
import * as contract from "./contract.ts";
import { readMember, readMembers } from "./read-members.ts";
import { type Context, changeRole, mayBeReset, removeMember, targetOf } from "./verbs.ts";

export const members = new OpenAPIHono<AppEnv>();

serve(members, contract.listMembers, async ({ env, store }) => {
  const rows = await readMembers(env, store);
  return { members: rows, total: rows.length };
});

serve(members, contract.updateMember, async ({ env, store, principal, params: { id }, body }) => {
  await changeRole({ env, store, principal }, id, body.role);
  const member = await readMember(env, store, id);
  if (!member) throw notFound("member");
  return member;
});

serve(members, contract.removeMember, ({ env, store, principal, params, query, now }) =>
  removeMember({ env, store, principal }, params.id, query.keys, now),
);

serve(
  members,
  contract.createResetLink,
  ({ env, store, principal, params, now }) => createResetLink({ env, store, principal }, params.id, now),
  idempotent("a new link replaces the previous one"),
);

/** Creates a link with which the member can set a new password, and mails it. @throws ApiError 403, 404 */
async function createResetLink(context: Context, id: string, now: number) {
  const { env, store, principal } = context;
  // Otherwise a stolen session could set a password without knowing the current one.
  if (id === principal.subject)
    throw new ApiError(
      403,
      "own_password",
      "you cannot create a link for yourself: change your password with your current one",
    );
  const target = await targetOf(context, id);
  if (target.source !== "password")
    throw new ApiError(403, "external_identity", "an identity provider keeps this member's password");
  const reset = { user: id, createdBy: `console:${principal.subject}`, only: mayBeReset(context, id) };
  const link = await createReset(env, store, reset, now);
  const mailed = await sendMail(env, store.account, resetMail(target.email, target.account_name, link));
  return Object.assign(link, { mailed });
}
