import type { AccountStore } from "../db/account-store.ts";
import type { Subject } from "../personal-data.ts";
import type { Counts } from "./counts.ts";

/** The kinds of ids by which a person is found in stores the ledger no longer leads to. */
const TRACES = ["call", "conversation", "recording"] as const;
export type TraceKind = (typeof TRACES)[number];

/** The context of an erasure: the account, the person, and the traces found so far. */
export interface Erasing {
  env: Env;
  store: AccountStore;
  subject: Subject;
  /** E.164; null if the person is not found by phone number. */
  number: string | null;
  /** Null if the person is not found as a visitor. */
  visitor: string | null;
  /** Identifies this round, so that the other side recognises a repeated request. */
  order: string;
  /** Returns the ids found so far in order: at most `limit` after `after`. */
  traces(kind: TraceKind, after?: string, limit?: number): string[];
}

/** The result of one step of an erasure, stored in one transaction with the position where it continues. */
export interface Swept {
  /** The position where it continues; null at the end. */
  next: unknown;
  counts?: Partial<Counts>;
  /** The current total of another object that counts by itself. */
  absolute?: { of: string; counts: Partial<Counts> };
  /** Set if it cannot continue yet and should run again a little later. */
  wait?: true;
  /** Set if something is left for another round. */
  unsettled?: boolean;
}

/**
 * Erases a person from a D1 table in bounded steps. A step can be repeated from the same position: it finds nothing
 * left to do.
 */
export type Sweep = (work: Erasing, cursor: unknown) => Promise<Swept>;
