declare const result: unique symbol;
declare const effect: unique symbol;
/** A closed statement, already bound to its account; it can only be handed back to the store that made it. */
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

/** Builders that count as one statement, and how their results make its result. */
export class Series {
  readonly builders: unknown[];
  readonly result: (results: unknown[]) => unknown;

  constructor(builders: unknown[], result: (results: unknown[]) => unknown) {
    this.builders = builders;
    this.result = result;
  }
}

export function seriesOf(item: unknown): Series {
  return item instanceof Series ? item : new Series([item], ([result]) => result);
}

const runnable = new WeakMap<object, unknown>();

/** Closes a statement; only the store that makes it may. */
export function close<T, Effect extends "read" | "write">(builder: unknown): Statement<T, Effect> {
  const statement = Object.freeze({}) as Statement<T, Effect>;
  runnable.set(statement, builder);
  return statement;
}

/** What is behind a closed statement; only the store that runs it may look. */
export function open(statement: Statement<unknown, "read" | "write">): unknown {
  const builder = runnable.get(statement);
  if (!builder) throw new TypeError("not a statement of an AccountStore");
  return builder;
}

const subjects = new WeakSet<object>();

/** Marks the statement that a write's audit entry is about, where it is not the first. */
export function subject<T>(statement: Write<T>): Write<T> {
  subjects.add(statement);
  return statement;
}

export function isSubject(statement: AnyStatement): boolean {
  return subjects.has(statement);
}
