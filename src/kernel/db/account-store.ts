import { getTableName, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { v7 as uuidv7 } from "uuid";
import { AccountStatements } from "./account-statements.ts";
import type { AccountTable, Changes, NewRow, Row } from "./account-table.ts";
import { differsFrom, needsRowBefore, storedChanges } from "./audit-changes.ts";
import { actorName, resourceName } from "./audit-names.ts";
import type { ActEntry, ChangeEntry } from "./audited.ts";
import { type AccountDatabase, type BoundStatement, type ConfigurationBatch, drizzleOver } from "./batch.ts";
import { all } from "./conditions.ts";
import { type AccountStatus, type OwnAccount, type OwnAccountSet, reviseAccount } from "./own-account.ts";
import { isRevision, OF_DEFAULTS, type RevisedTable } from "./revision.ts";
import type { AuditChanges } from "./schema/accounts.ts";
import * as schema from "./schema/index.ts";
import {
  type AnyStatement,
  close,
  closeWrite,
  isSubject,
  open,
  type Read,
  type Results,
  resultsOf,
  type Series,
  type Write,
} from "./statement.ts";

export { mapped, type Read, subject, together, type Write } from "./statement.ts";

/** The author of a change, for the audit log. */
export interface Author {
  actor: string;
  /** The actor's name if it is known without a look-up. It is always known for callers that the gate has admitted. */
  name?: string;
  request_id: string;
}

/** The audit entry of an act in the form in which the account's ledger stores it. Its time is in the id, a UUIDv7. */
export interface Act {
  id: string;
  actor: string;
  /** The actor's name at the time; null if there is none. */
  actor_name: string | null;
  action: string;
  resource: string;
  resource_id: string;
  resource_name: string | null;
  request_id: string;
  changes: AuditChanges | null;
}

/** Thrown if the account is disabled or does not exist. */
export class AccountClosedError extends Error {
  override readonly name = "AccountClosedError";
  constructor(accountStatus: Exclude<AccountStatus, "open">) {
    super(accountStatus === "disabled" ? "the account is disabled" : "the account does not exist");
  }
}

/** @throws AccountClosedError if the account is disabled or does not exist */
export function assertOpen(accountStatus: AccountStatus): void {
  if (accountStatus !== "open") throw new AccountClosedError(accountStatus);
}

/** Thrown if D1 refused a duplicate row. */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";
}

/** Thrown if D1 refused a row because a row to which it refers is missing. */
export class ReferenceViolation extends Error {
  override readonly name = "ReferenceViolation";
}

/**
 * The tables that are changed only through the account's gate: configuration, credentials, and pending events, which
 * the gate moves to the account's event sequence.
 */
const THROUGH_GATE: ReadonlySet<string> = new Set(
  [
    schema.accounts,
    schema.users,
    schema.signInPolicies,
    schema.secondFactors,
    schema.apiKeys,
    schema.operatorTokens,
    schema.agents,
    schema.agentPrompts,
    schema.agentFaqs,
    schema.agentPlaybooks,
    schema.agentTools,
    schema.budgets,
    schema.prices,
    schema.tools,
    schema.playbooks,
    schema.faqs,
    schema.documents,
    schema.agentDocuments,
    schema.integrationInstalls,
    schema.telephonyProviders,
    schema.phoneNumbers,
    schema.webhooks,
    schema.widgetKeys,
    schema.widgetSettings,
    schema.agentWidgetSettings,
    schema.callSettings,
    schema.pendingEvents,
  ].map(getTableName),
);

/**
 * The only access to an account's rows in D1. A store belongs to one account: every statement that it builds has the
 * account in its condition or its values, and query builders never leave the store. The gate checks that the account is
 * open before a store is created.
 */
export class AccountStore extends AccountStatements {
  readonly #database: AccountDatabase;
  readonly #db: DrizzleD1Database;
  readonly #author: Author;
  /** The number of acts so far. It keeps entries of the same millisecond in order. */
  #acts = 0;

  constructor(database: AccountDatabase, account: string, author: Author) {
    super(database.db, account);
    this.#database = database;
    this.#db = database.db;
    this.#author = author;
  }

  /**
   * Updates rows for a PATCH or PUT, which raises their revision. If `ifMatch` is given, only rows with that revision
   * are updated.
   */
  revise<T extends RevisedTable>(table: T, set: Changes<T>, where: SQL, ifMatch: number | null): Write<Row<T>[]> {
    return this.update(table, Object.assign({}, set, this.#stamp(table)), all(where, isRevision(table, ifMatch)));
  }

  /** Returns the columns that a revision sets in addition to its changes. */
  #stamp(table: RevisedTable) {
    return { revision: sql`${table.revision} + 1`, updated_by: this.#author.actor, revised_at: isoNow() };
  }

  /**
   * Updates rows for a PATCH or PUT unless they already have these values, and returns them in either case. The
   * comparison is part of the write. A row that differs also gets `marks` (a time, a derived flag) and an audit entry.
   */
  changeIfOther<T extends AccountTable>(table: T, set: Changes<T>, marks: Changes<T>, where: SQL): Write<Row<T>[]> {
    const differing = all(where, differsFrom(table, set));
    const change = open(this.update(table, Object.assign({}, set, marks), differing));
    const found = open(this.select(table, { where }));
    return close({
      builders: [...change.builders, ...found.builders],
      result: ([changed, rows]) => ((changed as unknown[]).length > 0 ? changed : rows),
      writes: change.writes,
      rows: this.fromOwn(table, differing),
    });
  }

  /**
   * Does the same as `changeIfOther`, and raises the revision of a row that differs. If `ifMatch` is given, only rows
   * with that revision are updated.
   */
  reviseIfOther<T extends RevisedTable>(
    table: T,
    set: Changes<T>,
    marks: Changes<T>,
    where: SQL,
    ifMatch: number | null,
  ): Write<Row<T>[]> {
    const revised = Object.assign({}, marks, this.#stamp(table));
    return this.changeIfOther(table, set, revised, all(where, isRevision(table, ifMatch)));
  }

  /**
   * Updates the part of the account's row that the account itself can change, if it differs. If `ifMatch` is given, it
   * must be the current revision.
   */
  reviseAccount(set: OwnAccountSet, differs: SQL, ifMatch: number | null): Write<OwnAccount[]> {
    return reviseAccount(this.#db, this.account, set, { differs, ifMatch, actor: this.#author.actor });
  }

  /** Updates rows only if the preceding change of the same write found a row, so that either both happen or neither. */
  reviseAlong<T extends RevisedTable>(table: T, set: Changes<T>, where: SQL): Write<Row<T>[]> {
    return this.revise(table, set, all(where, sql`changes() > 0`), null);
  }

  /**
   * Stores the defaults if nothing is stored yet, so that `revise` can change them in the same batch. Does nothing if
   * `ifMatch` is a revision other than that of the defaults.
   */
  insertDefaults<T extends RevisedTable>(table: T, row: NewRow<T>, ifMatch: number | null): Write<unknown> {
    if (ifMatch === null || ifMatch === OF_DEFAULTS) return this.insertNew(table, row);
    return close({ builders: [], result: () => [], writes: null });
  }

  /** Reads in one D1 round trip. */
  async read<S extends readonly Read<unknown>[]>(...statements: S): Promise<Results<S>> {
    return this.#run(statements);
  }

  /**
   * Writes changes and their audit entry in one atomic D1 round trip. The entry describes the statement marked as
   * `subject`, otherwise the first one, and is written only if that statement changed a row.
   */
  async write<S extends readonly [Write<unknown>, ...AnyStatement[]]>(
    entry: ChangeEntry,
    ...statements: S
  ): Promise<Results<S>> {
    const about = statements.find(isSubject) ?? statements[0];
    const batch = statements.map((one) => (one === about ? this.#audited(one, entry) : one));
    return (await this.#run(batch)) as unknown as Results<S>;
  }

  /** Writes the audit entry of a change that was made outside D1. */
  async note(entry: ChangeEntry): Promise<void> {
    await this.#run([closeWrite("audit_log", this.#audit(entry, sql`WHERE true`))] as const);
  }

  /** Returns an audit entry for an act by the store's author at the current time, for `Ledger.note`. */
  act({ action, resource, resource_id, resource_name = null }: ActEntry): Act {
    const { actor, name, request_id } = this.#author;
    // The time is passed explicitly, because the library's own clock does not go back when this one does.
    const id = uuidv7({ msecs: Date.now(), seq: this.#acts++ });
    return {
      id,
      actor,
      actor_name: name || null,
      action,
      resource,
      resource_id,
      resource_name,
      request_id,
      changes: null,
    };
  }

  /** Writes internal data such as call events and campaign counters. The write is atomic and not audited. */
  async record<S extends readonly AnyStatement[]>(...statements: S): Promise<Results<S>> {
    return this.#run(statements);
  }

  /**
   * Combines a change with its audit entry, which normally follows the statement that changes a row. An entry that
   * contains old values, or the name of a deleted row, must precede the change.
   */
  #audited(change: AnyStatement, entry: ChangeEntry): Write<unknown> {
    const { builders, result, writes, adds = false, rows, removes } = open(change);
    if (removes || needsRowBefore(entry.changes ?? {})) {
      if (!rows) throw new TypeError("only an update or a deletion has rows as they were");
      const ahead = [this.#audit(entry, rows), ...builders];
      return close({ builders: ahead, result: (results) => result(results.slice(1)), writes });
    }
    const audit = this.#audit(entry, sql`WHERE changes() > 0`);
    const audited = builders.flatMap((builder) => [builder, audit]);
    return close({
      builders: audited,
      result: (results) => result(results.filter((_, i) => i % 2 === 0)),
      writes,
      adds,
    });
  }

  /** Builds the audit entry, which is written once if `source` returns a row. */
  #audit(entry: ChangeEntry, source: SQL) {
    const { action, resource, resource_id, changes } = entry;
    const at = new Date();
    const { actor, name, request_id } = this.#author;
    const actor_name = name ? sql`${name}` : actorName(this.account, actor);
    const isThemself = resource === "user" && actor === `console:${resource_id}`;
    const stored = isThemself ? actor_name : resourceName(this.account, resource, resource_id);
    const resource_name = entry.resource_name == null ? stored : sql`${entry.resource_name}`;
    // UUIDv7s that are created in sequence keep entries of the same millisecond in order.
    const id = uuidv7();
    return this.#db
      .insert(schema.auditLog)
      .select(
        sql`SELECT ${this.account}, ${id}, ${at.toISOString()}, ${actor}, ${actor_name}, ${action}, ${resource}, ${resource_id}, ${resource_name}, ${request_id}, ${storedChanges(changes ?? {})}, NULL ${source}`,
      )
      .onConflictDoNothing();
  }

  /**
   * Runs the statements as one batch: through the gate if they change configuration, otherwise directly.
   * @throws UniqueViolation, ReferenceViolation if D1 refused a row for that reason
   */
  async #run<S extends readonly AnyStatement[]>(statements: S): Promise<Results<S>> {
    const series = statements.map(open);
    const [first, ...rest] = series.flatMap(({ builders }) => builders) as BatchItem<"sqlite">[];
    if (!first) return [] as unknown as Results<S>;
    const tables = configured(series);
    const changed = configured(series.filter(({ adds }) => !adds));
    const added = tables.filter((table) => !changed.includes(table));
    const configure = (statements: BoundStatement[]) => this.#configure({ statements, tables, added });
    const db = tables.length > 0 ? drizzleOver(configure) : this.#db;
    try {
      return resultsOf(series, await db.batch([first, ...rest])) as Results<S>;
    } catch (error) {
      throw violatedConstraint(error) ?? error;
    }
  }

  async #configure(batch: ConfigurationBatch): Promise<D1Result[]> {
    const outcome = await this.#database.configure(batch);
    if ("refused" in outcome) throw new Error(outcome.refused);
    return outcome.results;
  }
}

const isoNow = () => new Date().toISOString();

/** Returns the configuration tables that these statements change. */
function configured(series: Series[]): string[] {
  return [...new Set(series.flatMap(({ writes }) => (writes !== null && THROUGH_GATE.has(writes) ? [writes] : [])))];
}

/** Returns the constraint for which D1 refused a row; null for any other error. */
export function violatedConstraint(error: unknown): UniqueViolation | ReferenceViolation | null {
  const why = causes(error);
  if (why.includes("UNIQUE constraint failed")) return new UniqueViolation("the same entry already exists");
  if (why.includes("FOREIGN KEY constraint failed"))
    return new ReferenceViolation("the entry refers to something that was deleted");
  return null;
}

function causes(error: unknown): string {
  return error instanceof Error ? `${error.message} ${causes(error.cause)}` : "";
}
