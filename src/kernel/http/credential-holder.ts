import { eq } from "drizzle-orm";
import { z } from "zod";
import type { AccountStore } from "../db/account-store.ts";
import { apiKeys } from "../db/schema/index.ts";
import type { CredentialHolder, Principal } from "./context.ts";
import type { Reader, Session } from "./credential.ts";

/** The schema of the holder in a token's claims. */
export const credentialHolder = z.union([
  z.object({ key_id: z.string(), view: z.string() }),
  z.object({
    user: z.string(),
    session: z.string(),
    embedded: z.boolean(),
    issued_at: z.number(),
    expires_at: z.number(),
    view: z.string(),
  }),
]) satisfies z.ZodType<CredentialHolder>;

export function holderOf({ subject, session, callerView: view }: Principal): CredentialHolder {
  if (session === null) return { key_id: subject, view };
  const { id, embedded, issuedAt, expiresAt } = session;
  return { user: subject, session: id, embedded, issued_at: issuedAt, expires_at: expiresAt, view };
}

/** Returns the holder's actor name in the audit log. */
export function actorOf(holder: CredentialHolder): string {
  return "session" in holder ? `console:${holder.user}` : `api_key:${holder.key_id}`;
}

/** Returns the credential with which the holder was admitted. */
export function credentialOf(holder: CredentialHolder): { key_id: string } | { session: Session } {
  if (!("session" in holder)) return { key_id: holder.key_id };
  const { user, session: id, embedded, issued_at: issuedAt } = holder;
  return { session: { id, user, embedded, issuedAt } };
}

/** Returns the holder as a reader for the gate; null if its API key was deleted. Only a key needs a look-up. */
export async function readerBy(store: AccountStore, holder: CredentialHolder): Promise<Reader | null> {
  const [credential, { view }] = [credentialOf(holder), holder];
  if ("session" in credential) return { credential, until: "session" in holder ? holder.expires_at : null, view };
  const [key] = await store.read(store.first(apiKeys, { where: eq(apiKeys.id, credential.key_id), columns: ["hash"] }));
  return key ? { credential: { key: key.hash }, until: null, view } : null;
}
