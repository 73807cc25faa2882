import type { OperatorScope } from "../scopes.ts";

/** A console session: the SHA-256 of the signed part of its token, and its user. */
export interface Session {
  id: string;
  user: string;
  /** Whether the embedded identity provider started it. */
  embedded: boolean;
  /** When the token was issued, ms. */
  issuedAt: number;
}

/** A credential: an API key by its SHA-256, or a session. */
export type Credential = { key: string } | { session: Session };

/** An operator's token by its SHA-256. It opens no stream and starts nothing that continues. */
export type OperatorCredential = { operatorToken: string };

/** The scopes of an operator's token, and the accounts to which it is limited; null for all. */
export interface OperatorTerms {
  scopes: readonly OperatorScope[];
  accounts: readonly string[] | null;
}

/** The terms of an API key besides its limits. */
export interface KeyTerms {
  name: string;
  /** Whether its scopes were chosen explicitly. Only then may an assistant use the key. */
  scopesNamed: boolean;
  /** Whether it can confirm acts without a person. */
  unattended: boolean;
}

/** The reader of a stream. It may read while the credential is valid, and until `until` (ms). */
export interface Reader {
  credential: Credential;
  /** When the credential expires, ms; null if it does not. */
  until: number | null;
  /** The caller view (`Principal`) with which the reader was admitted. */
  view: string;
}
