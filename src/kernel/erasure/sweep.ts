import type { AccountStore } from "../db/account-store.ts";
import type { Subject } from "../personal-data.ts";
import type { Counts } from "./counts.ts";

/** The kinds of ids with which a person is found in stores to which the ledger no longer leads. */
const TRACES = ["call", "conversation", "recording"] as const;
export type TraceKind = (typeof TRACES)[number];

/** The context of an erasure: the account, the person, and the traces found so far. */
export interface Erasing {
  env: Env;
  store: AccountStore;
  subject: Subject;
  /** The person's phone number (E.164); null if it is unknown. */
  number: string | null;
  /** The person's visitor id; null if it is unknown. */
  visitor: string | null;
  /** Identifies this round, so that the other side recognizes a repeated request. */
  order: string;
  /** Returns the ids that were found so far, in order: at most `limit` after `after`. */
  traces(kind: TraceKind, after?: string, limit?: number): string[];
}

/**
 * The result of one step of an erasure. It is stored in one transaction with the position where the erasure continues.
 */
export interface Swept {
  /** The position where the step continues; null when it is done. */
  next: unknown;
  counts?: Partial<Counts>;
  /** The current total of another object that counts its results itself. */
  absolute?: { of: string; counts: Partial<Counts> };
  /** Set if the step cannot continue yet and must run again a little later. */
  wait?: true;
  /** Set if something is left for another round. */
  unsettled?: boolean;
}

/**
 * Erases a person from a D1 table in bounded steps. A step can be repeated from the same position, because it then
 * finds nothing left to do.
 */
export type Sweep = (work: Erasing, cursor: unknown) => Promise<Swept>;
