import type { Role } from "../../kernel/scopes.ts";
import type { Mail } from "./send-mail.ts";

/** A link and its expiry (ISO 8601). */
interface Link {
  url: string;
  expires_at: string;
}

/**
 * Returns the invitation mail. `account` is the account's name for people who are not members, and `by` is the address
 * of the inviting member.
 */
export function invitationMail(to: string, account: string, by: string, role: Role, link: Link): Mail {
  const as = /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`;
  return {
    to,
    subject: `Join ${inOneLine(account)} on Switchboard`,
    text: message(
      `${by} invites you to join ${inOneLine(account)} on Switchboard as ${as}. Open this link to accept:`,
      link,
      "If you did not expect this invitation, ignore this message.",
    ),
  };
}

/** Returns the mail for a member who must set a new password. */
export function resetMail(to: string, account: string, link: Link): Mail {
  return {
    to,
    subject: "Set a new password for Switchboard",
    text: message(
      `A person who manages the members of ${inOneLine(account)} sent you a link to set a new password:`,
      link,
      "Your current password stays valid until you use the link. If you did not ask for it, ignore this message.",
    ),
  };
}

function message(opening: string, { url, expires_at }: Link, closing: string): string {
  const until = `${expires_at.slice(0, 10)} ${expires_at.slice(11, 16)} UTC`;
  return `${opening}\n\n${url}\n\nThe link works once, until ${until}. ${closing}\n`;
}

/** Puts a name on one line, so that it cannot add lines or headers to the message. */
function inOneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
