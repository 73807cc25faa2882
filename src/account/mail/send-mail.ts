import type { Bindings } from "../../kernel/http/context.ts";
import { logError } from "../../kernel/log.ts";

/** A message of plain text to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/**
 * Mails the message where the deployment sends mail and the account has not sent too much in this minute; false where it
 * went to nobody. What it says is shown to the sender anyway, so that a failure is logged and not thrown.
 */
export async function sendMail(env: Bindings, account: string, { to, subject, text }: Mail): Promise<boolean> {
  if (!env.EMAIL || env.EMAIL_FROM === "") return false;
  try {
    if (env.RATE_LIMITS !== "off" && !(await env.MAIL_RATE.limit({ key: account })).success) return false;
    await env.EMAIL.send({ from: { name: "Switchboard", email: env.EMAIL_FROM }, to, subject, text });
    return true;
  } catch (error) {
    logError("mail", error);
    return false;
  }
}
