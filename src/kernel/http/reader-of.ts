import type { Principal } from "./context.ts";
import type { Reader } from "./credential.ts";

export function readerOf({ key, session, subject, callerView: view }: Principal): Reader {
  if (session === null) return { credential: { key: key ?? "" }, until: null, view };
  const { id, embedded, issuedAt, expiresAt } = session;
  return { credential: { session: { id, user: subject, embedded, issuedAt } }, until: expiresAt, view };
}
