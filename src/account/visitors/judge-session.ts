import { eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { visitorFamilies, widgetKeys } from "../../kernel/db/schema/index.ts";
import { admits } from "./origins.ts";
import { isOpen, sessionRefusal } from "./policy.ts";
import { maySignIn, type SignerRow, signerRead } from "./signer.ts";
import { assemble, type Widget, widgetReads } from "./widget-lookup.ts";

/** The part of a visitor's session that determines whether it is valid. */
export interface JudgedSession {
  visitor_type: "guest" | "user";
  agent_id: string;
  key_id: string;
  /** The sign-in to which the session belongs; "" for a token that names none. */
  fam: string;
  /** The page's origin; null if no page sent the request. */
  origin: string | null;
  /** The id of the API key that signed the user in; null for a guest. */
  made_by: string | null;
}

/** Why a genuine session may not be used now. */
export type SessionRefusal = "guest_not_allowed" | "widget_disabled" | "key_disabled" | "invalid";

export interface Judged {
  /** The row of the session's sign-in; undefined before the first refresh. */
  family: Pick<typeof visitorFamilies.$inferSelect, "current"> | undefined;
  /** The API key that signed the user in; undefined for a guest, or if the key was deleted. */
  signer: SignerRow | undefined;
  widget: Widget | undefined;
}

type Found = [
  family: typeof visitorFamilies.$inferSelect | undefined,
  signer: SignerRow | undefined,
  ...found: Parameters<typeof assemble>,
];

/** Returns the reads that decide on a session, for one batch. */
export function judgingReads(store: AccountStore, { fam, key_id, agent_id, made_by }: JudgedSession) {
  return [
    store.first(visitorFamilies, { where: eq(visitorFamilies.id, fam) }),
    signerRead(store, made_by),
    ...widgetReads(store, eq(widgetKeys.id, key_id), agent_id),
  ] as const;
}

/** Decides whether the session may be used at `now` (ms). Returns null if it may, otherwise the reason why not. */
export function judgeSession(
  session: JudgedSession,
  [family, signer, ...found]: Found,
  now: number,
): SessionRefusal | null {
  return visitorRefusal(session, { family, signer, widget: assemble(...found) }, now);
}

/** Makes the same decision from data that was already combined. */
export function visitorRefusal(
  session: JudgedSession,
  { family, signer, widget }: Judged,
  now: number,
): SessionRefusal | null {
  if (!isOpen(widget)) return "key_disabled";
  if (session.made_by !== null && !maySignIn(signer, session.agent_id, now)) return "key_disabled";
  const hasEnded = family?.current === null;
  if (hasEnded || (session.origin && !admits(widget.key.domain_allowlist, session.origin))) return "invalid";
  const refusal = sessionRefusal(widget, session);
  if (refusal === null || refusal === "widget_disabled" || refusal === "guest_not_allowed") return refusal;
  return "invalid";
}
