import type { AccountStore } from "../db/account-store.ts";
import type { Subject } from "../personal-data.ts";
import type { Counts } from "./counts.ts";

/** How a person is found where the ledger no longer leads to them. */
export const TRACES = ["call", "conversation", "recording"] as const;
export type TraceKind = (typeof TRACES)[number];

/** The context of an erasure: the account, the person, and the traces found so far. */
export interface Erasing {
  env: Env;
  store: AccountStore;
  subject: Subject;
  /** E.164; null if the person is not found by a number. */
  number: string | null;
  /** Null if the person is not found as a visitor. */
  visitor: string | null;
  /** Identifies this pass, so that a counterpart recognises a repeated request. */
  order: string;
  /** What was found so far, in order: `limit` entries after one. */
  traces(kind: TraceKind, after?: string, limit?: number): string[];
}

/** The result of a piece of an erasure, stored in one transaction with where it continues. */
export interface Swept {
  /** Where it continues; null at its end. */
  next: unknown;
  counts?: Partial<Counts>;
  /** The total so far of a counterpart that counts by itself. */
  absolute?: { of: string; counts: Partial<Counts> };
  /** It cannot go on yet, and is run again a little later. */
  wait?: true;
  /** Something is left for another pass. */
  unsettled?: boolean;
}

/**
 * Erases a person from a table of D1: bounded work that can be repeated from the same place, because it finds done what
 * was done before.
 */
export type Sweep = (work: Erasing, place: unknown) => Promise<Swept>;
