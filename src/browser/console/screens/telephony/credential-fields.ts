import type { Body } from "../../api/client.ts";
import { carriers as t } from "../../texts/index.ts";

/** A carrier, by its name in the API. */
export type Provider = Body<"TelephonyProvider">["provider"];

/** One field of a carrier's credentials. */
export interface CredentialField {
  /** As the API calls it. */
  name: string;
  words: { label: string; hint: string };
  /** It is hidden while it is typed. */
  isSecret?: boolean;
  /** It has several lines. */
  isLong?: boolean;
  isOptional?: boolean;
}

const { fields: f } = t;

/** What each carrier needs, as the API's description of its credentials says; the sandbox needs nothing. */
export const CREDENTIAL_FIELDS: Record<Exclude<Provider, "sandbox">, CredentialField[]> = {
  twilio: [
    { name: "account_sid", words: f.account_sid },
    { name: "auth_token", words: f.auth_token, isSecret: true },
  ],
  telnyx: [
    { name: "api_key", words: f.api_key, isSecret: true },
    { name: "connection_id", words: f.connection_id },
    { name: "public_key", words: f.public_key },
  ],
  signalwire: [
    { name: "space", words: f.space },
    { name: "project_id", words: f.project_id },
    { name: "api_token", words: f.api_token, isSecret: true },
    { name: "signing_key", words: f.signing_key, isSecret: true },
  ],
  vonage: [
    { name: "application_id", words: f.application_id },
    { name: "private_key", words: f.private_key, isLong: true },
    { name: "signature_secret", words: f.signature_secret, isSecret: true },
    { name: "api_key", words: f.vonage_api_key, isOptional: true },
    { name: "api_secret", words: f.api_secret, isSecret: true, isOptional: true },
  ],
  plivo: [
    { name: "auth_id", words: f.auth_id },
    { name: "auth_token", words: f.auth_token, isSecret: true },
  ],
};

/** The carriers that need credentials, in the order in which they are offered. */
export const PROVIDERS = ["twilio", "telnyx", "signalwire", "vonage", "plivo"] as const;

/** Credentials as they are sent: of what was typed the fields of this carrier that are not empty. */
export function credentialsOf(provider: (typeof PROVIDERS)[number], typed: Record<string, string>) {
  const pairs = CREDENTIAL_FIELDS[provider].map(({ name }) => [name, (typed[name] ?? "").trim()]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ""));
}
