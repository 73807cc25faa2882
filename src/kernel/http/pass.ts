import type { OperatorScope } from "../scopes.ts";

/** A session of the console: a token by the SHA-256 of what it signs, and whose it is. */
export interface Session {
  id: string;
  user: string;
  /** Whether the embedded identity provider began it. */
  embedded: boolean;
  /** ms */
  issuedAt: number;
}

/** A credential: an API key by its SHA-256, or a session. */
export type Pass = { key: string } | { session: Session };

/** An operator's token by its SHA-256; it opens no stream and begins nothing that goes on. */
export type OperatorPass = { operatorToken: string };

/** What an operator's token may do, and the only accounts that it is for; null for all. */
export interface OperatorTerms {
  scopes: readonly OperatorScope[];
  accounts: readonly string[] | null;
}

/** An API key's terms beside its limits. */
export interface KeyTerms {
  name: string;
  /** Whether its scopes were chosen explicitly: only then may an assistant act with it. */
  scopesNamed: boolean;
  /** Whether what it confirms needs no person's yes. */
  unattended: boolean;
}

/** The reader of a stream, who may read while the pass is valid and until `until`, ms. */
export interface Reader {
  pass: Pass;
  /** Null if the pass does not expire. */
  until: number | null;
  /** The view (`Principal`) under which they came in. */
  view: string;
}
