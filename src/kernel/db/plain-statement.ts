import type { BoundStatement } from "./batch.ts";

/** A statement with its text, in the form of the query builders that a batch takes. */
export class PlainStatement {
  readonly #statement: BoundStatement;
  readonly mapResult: (result: unknown) => unknown;
  readonly stmt = { bind: () => this.#statement };

  constructor(statement: BoundStatement, mapResult: (result: unknown) => unknown = (result) => result) {
    this.#statement = statement;
    this.mapResult = mapResult;
  }

  _prepare(): this {
    return this;
  }

  getQuery(): BoundStatement {
    return this.#statement;
  }
}
