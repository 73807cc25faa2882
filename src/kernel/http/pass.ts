import type { Principal } from "./context.ts";

/** A session of the console: a token by the SHA-256 of what it signs, and whose it is. */
export interface Session {
  id: string;
  user: string;
  /** The user is a row of the account, which may be gone by now. */
  embedded: boolean;
  /** ms */
  issuedAt: number;
}

/** What somebody comes with: an API key by its SHA-256, or a session. */
export type Pass = { key: string } | { session: Session };

/** Somebody who reads for longer than a request: may do so as long as the pass is good, which ends at `until`, ms. */
export interface Reader {
  pass: Pass;
  /** Null where the pass itself does not say. */
  until: number | null;
}

/** The principal as somebody who reads on after its request. */
export function readerOf({ key, session, subject }: Principal): Reader {
  if (session === null) return { pass: { key: key ?? "" }, until: null };
  const { id, embedded, issuedAt, expiresAt } = session;
  return { pass: { session: { id, user: subject, embedded, issuedAt } }, until: expiresAt };
}
