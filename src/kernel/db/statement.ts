import type { SQL } from "drizzle-orm";

declare const result: unique symbol;
declare const effect: unique symbol;
/** A closed statement, bound to its account. Only the store that built it can run it. */
export interface Statement<T, Effect extends "read" | "write"> {
  readonly [result]: T;
  readonly [effect]: Effect;
}
export type Read<T> = Statement<T, "read">;
export type Write<T> = Statement<T, "write">;
export type AnyStatement = Statement<unknown, "read" | "write">;
export type Results<S extends readonly unknown[]> = {
  [K in keyof S]: S[K] extends Statement<infer T, "read" | "write"> ? T : never;
};

/** The parts of a statement: its builders, the function that combines their results, and the table that it writes. */
export interface Series {
  builders: unknown[];
  result: (results: unknown[]) => unknown;
  /** The table that it writes; null if it only reads or writes internal data. */
  writes: string | null;
  /** Whether it can only add rows. If a row already exists, it fails. */
  adds?: boolean;
  /** `FROM … WHERE …` of the rows that an update or deletion changes. */
  rows?: SQL;
  removes?: boolean;
}

const only = ([result]: unknown[]) => result;

const runnable = new WeakMap<object, Series>();

/** Closes a statement that reads. Only its store may call this. */
export function closeRead<T>(builder: unknown, result: Series["result"] = only): Read<T> {
  return close({ builders: [builder], result, writes: null });
}

/** Closes a statement that reads one row; undefined if there is none. */
export function closeFirst<T>(builder: unknown): Read<T | undefined> {
  return close({ builders: [builder], result: ([rows]) => (rows as T[])[0], writes: null });
}

export function closeWrite<T>(table: string, builder: unknown): Write<T> {
  return close({ builders: [builder], result: only, writes: table });
}

export function closeInsert<T>(table: string, builder: unknown): Write<T> {
  return close({ builders: [builder], result: only, writes: table, adds: true });
}

/** Closes a statement that changes `rows` of a table. */
export function closeUpdate<T>(table: string, builder: unknown, rows: SQL): Write<T> {
  return close({ builders: [builder], result: only, writes: table, rows });
}

export function closeRemoval<T>(table: string, builder: unknown, rows: SQL): Write<T> {
  return close({ builders: [builder], result: only, writes: table, rows, removes: true });
}

/** Closes a series of builders as one statement. */
export function close<T, Effect extends "read" | "write">(series: Series): Statement<T, Effect> {
  const statement = Object.freeze({}) as Statement<T, Effect>;
  runnable.set(statement, series);
  return statement;
}

export function mapped<A, T>(read: Read<A>, map: (result: A) => T): Read<T> {
  const { builders, result } = open(read);
  return close({ builders, result: (results) => map(result(results) as A), writes: null });
}

/** Combines reads into one read of all their results, in the same round trip. */
export function combined<S extends readonly Read<unknown>[]>(...reads: S): Read<Results<S>> {
  const parts = reads.map(open);
  const result = (results: unknown[]) => resultsOf(parts, results);
  return close({ builders: parts.flatMap(({ builders }) => builders), result, writes: null });
}

/** Combines two reads into one, in the same round trip. */
export function together<A, B, T>(first: Read<A>, second: Read<B>, combine: (first: A, second: B) => T): Read<T> {
  return mapped(combined(first, second), ([one, two]) => combine(one, two));
}

/** Returns each statement's result, from the ordered results of all builders. */
export function resultsOf(all: Series[], results: unknown[]): unknown[] {
  const rest = [...results];
  return all.map(({ builders, result }) => result(rest.splice(0, builders.length)));
}

/** Returns the content of a closed statement. Only the store that runs it may call this. */
export function open(statement: AnyStatement): Series {
  const series = runnable.get(statement);
  if (!series) throw new TypeError("not a statement of an AccountStore");
  return series;
}

const subjects = new WeakSet<object>();

/** Marks the statement that a write's audit entry describes, if it is not the first one. */
export function subject<T>(statement: Write<T>): Write<T> {
  subjects.add(statement);
  return statement;
}

export function isSubject(statement: AnyStatement): boolean {
  return subjects.has(statement);
}
