import type { Principal } from "./context.ts";
import type { Reader } from "./pass.ts";

export function readerOf({ key, session, subject, view }: Principal): Reader {
  if (session === null) return { pass: { key: key ?? "" }, until: null, view };
  const { id, embedded, issuedAt, expiresAt } = session;
  return { pass: { session: { id, user: subject, embedded, issuedAt } }, until: expiresAt, view };
}
