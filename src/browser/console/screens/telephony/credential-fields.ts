import type { Body } from "../../api/client.ts";
import { carriers as t } from "../../texts/index.ts";

export type Provider = Body<"TelephonyProvider">["provider"];

export interface CredentialField {
  name: string;
  words: { label: string; hint: string };
  isSecret?: boolean;
  isLong?: boolean;
  isOptional?: boolean;
}

const { fields: f } = t;

/** The fields of each carrier's credentials, as in the API. The sandbox needs none. */
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

/** The carriers that need credentials, in order of display. */
export const PROVIDERS = ["twilio", "telnyx", "signalwire", "vonage", "plivo"] as const;

/** Returns the credentials to send: the fields of this carrier that aren't empty. */
export function credentialsOf(provider: (typeof PROVIDERS)[number], typed: Record<string, string>) {
  const pairs = CREDENTIAL_FIELDS[provider].map(({ name }) => [name, (typed[name] ?? "").trim()]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ""));
}
