import { eq } from "drizzle-orm";
import { z } from "zod";
import type { AccountStore } from "../db/account-store.ts";
import { apiKeys } from "../db/schema/index.ts";
import type { PassHolder, Principal } from "./context.ts";
import type { Reader, Session } from "./pass.ts";

/** The holder in a token's claims. */
export const passHolder = z.union([
  z.object({ key_id: z.string(), view: z.string() }),
  z.object({
    user: z.string(),
    session: z.string(),
    embedded: z.boolean(),
    issued_at: z.number(),
    expires_at: z.number(),
    view: z.string(),
  }),
]) satisfies z.ZodType<PassHolder>;

export function holderOf({ subject, session, view }: Principal): PassHolder {
  if (session === null) return { key_id: subject, view };
  const { id, embedded, issuedAt, expiresAt } = session;
  return { user: subject, session: id, embedded, issued_at: issuedAt, expires_at: expiresAt, view };
}

/** Returns the holder's actor name in the audit log. */
export function actorOf(holder: PassHolder): string {
  return "session" in holder ? `console:${holder.user}` : `api_key:${holder.key_id}`;
}

/** Returns the credential that the holder was admitted with. */
export function passOf(holder: PassHolder): { key_id: string } | { session: Session } {
  if (!("session" in holder)) return { key_id: holder.key_id };
  const { user, session: id, embedded, issued_at: issuedAt } = holder;
  return { session: { id, user, embedded, issuedAt } };
}

/** Returns the holder in the gate's terms; null if its API key is deleted. Only a key needs a look-up. */
export async function readerBy(store: AccountStore, holder: PassHolder): Promise<Reader | null> {
  const [pass, { view }] = [passOf(holder), holder];
  if ("session" in pass) return { pass, until: "session" in holder ? holder.expires_at : null, view };
  const [key] = await store.read(store.first(apiKeys, { where: eq(apiKeys.id, pass.key_id), columns: ["hash"] }));
  return key ? { pass: { key: key.hash }, until: null, view } : null;
}
