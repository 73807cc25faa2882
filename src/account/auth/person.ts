import { v5 as uuidv5 } from "uuid";
import { z } from "zod";

/** A person who signed in at the configured identity provider. */
export interface Person {
  /** The person's id as a member of any account, derived from issuer and `sub`. */
  id: string;
  /** The email address in lower case; "" if the provider reports none. */
  email: string;
  /** The person's name; "" if the provider reports none. */
  name: string;
  /** Whether the provider has verified the email address. */
  emailVerified: boolean;
}

/** The namespace of these ids (RFC 9562, version 5). */
const PEOPLE = "1d6b3f5a-52a8-4d0e-9b1e-0a3a1c6f7d42";
const MAX_EMAIL_CHARS = 254;
const MAX_NAME_CHARS = 200;

const claimsSchema = z.object({
  sub: z.string().min(1),
  email: z.email().max(MAX_EMAIL_CHARS).toLowerCase().catch(""),
  name: z.string().catch(""),
  email_verified: z.unknown().optional(),
});

/** Returns the person in a token's claims. @throws ZodError without `sub` */
export function personIn(issuer: string, claims: object): Person {
  const { sub, email, name, email_verified } = claimsSchema.parse(claims);
  const id = uuidv5(JSON.stringify([issuer.replace(/\/$/, ""), sub]), PEOPLE);
  // Some providers send a string instead of a boolean.
  const emailVerified = email !== "" && (email_verified === true || email_verified === "true");
  return { id, email, name: name.slice(0, MAX_NAME_CHARS), emailVerified };
}
