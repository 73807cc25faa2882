import { ApiError } from "../../kernel/http/errors.ts";
import { createReset } from "../auth/password-resets.ts";
import { sendMail } from "../mail/send-mail.ts";
import { resetMail } from "../mail/texts.ts";
import { type Context, mayBeReset, targetOf } from "./verbs.ts";

/** Makes a link with which the member sets a new password, and mails it. @throws ApiError 403, 404 */
export async function createResetLink(context: Context, id: string, now: number) {
  const { env, store, principal } = context;
  // Otherwise a stolen session could set a password without the present one.
  if (id === principal.subject)
    throw new ApiError(403, "own_password", "change your own password with the present one");
  const target = await targetOf(context, id);
  if (target.source !== "password")
    throw new ApiError(403, "external_identity", "an identity provider keeps this member's password");
  const reset = { user: id, createdBy: `console:${principal.subject}`, only: mayBeReset(context, id) };
  const link = await createReset(env, store, reset, now);
  const mailed = await sendMail(env, store.account, resetMail(target.email, target.account_name, link));
  return Object.assign(link, { mailed });
}
