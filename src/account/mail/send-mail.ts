import type { Bindings } from "../../kernel/http/context.ts";
import { logError } from "../../kernel/log.ts";

/** A plain-text message to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/**
 * Mails the message if the deployment sends mail and the account is within its rate. Returns whether it was sent. A
 * failure is only logged, because the sender sees the message's content in any case.
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
