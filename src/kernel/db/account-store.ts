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
  type Series,
  type Write,
} from "./statement.ts";

export { mapped, type Read, subject, together, type Write } from "./statement.ts";

/** Who makes the change, for the audit log. */
export interface Author {
  actor: string;
  /** The actor's name, if it is known without a look-up; always known for callers that the gate has admitted. */
  name?: string;
  request_id: string;
}

/** The audit entry of an act as the account's ledger stores it; its time is in the id, a UUIDv7. */
export interface Act {
  id: string;
  actor: string;
  /** The actor's name at the time; null if they have none. */
  actor_name: string | null;
  action: string;
  resource: string;
  resource_id: string;
  resource_name: string | null;
  request_id: string;
  changes: AuditChanges | null;
}

/** The account is disabled or does not exist. */
export class AccountClosedError extends Error {
  override readonly name = "AccountClosedError";
  constructor(accountStatus: Exclude<AccountStatus, "open">) {
    super(accountStatus === "disabled" ? "account is disabled" : "account does not exist");
  }
}

/** @throws AccountClosedError for an account that is disabled or does not exist */
export function assertOpen(accountStatus: AccountStatus): void {
  if (accountStatus !== "open") throw new AccountClosedError(accountStatus);
}

/** D1 refused a duplicate row. */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";
}

/** D1 refused a row whose reference does not exist any more. */
export class ReferenceViolation extends Error {
  override readonly name = "ReferenceViolation";
}

/**
 * All configuration and credentials of an account: changed only through the account's gate; and whatever happens with an
 * event, which the gate brings to the account's sequence.
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
 * The only way to an account's rows in D1. It is bound to one account for its life: every statement it makes carries
 * the account in its condition or its values, and a query builder never leaves it. The gate checks that the account is
 * open before a store is created.
 */
export class AccountStore extends AccountStatements {
  readonly #database: AccountDatabase;
  readonly #db: DrizzleD1Database;
  readonly #author: Author;
  /** How many acts were made: entries of the same millisecond keep their order. */
  #acts = 0;

  constructor(database: AccountDatabase, account: string, author: Author) {
    const db = drizzleOver(database.run);
    super(db, account);
    this.#database = database;
    this.#db = db;
    this.#author = author;
  }

  /**
   * Changes rows by what PATCH or PUT sent, which raises their revision; only rows of the revision `ifMatch`, where one
   * is given.
   */
  revise<T extends RevisedTable>(table: T, set: Changes<T>, where: SQL, ifMatch: number | null): Write<Row<T>[]> {
    return this.update(table, Object.assign({}, set, this.#stamp(table)), all(where, isRevision(table, ifMatch)));
  }

  /** What a revision sets beside its changes. */
  #stamp(table: RevisedTable) {
    return { revision: sql`${table.revision} + 1`, updated_by: this.#author.actor, revised_at: isoNow() };
  }

  /**
   * Changes rows by what PATCH or PUT sent, unless they have these values already, and returns them either way. What is
   * judged is the row that the write finds. A row that differs gets `marks` too (a time, a derived flag), and an audit entry.
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

  /** As `changeIfOther`; a row that differs is revised. Only rows of the revision `ifMatch`, where one is given. */
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

  /** Changes what the account can change of its own row, if it differs; only at the revision `ifMatch`, where one is given. */
  reviseAccount(set: OwnAccountSet, differs: SQL, ifMatch: number | null): Write<OwnAccount[]> {
    return reviseAccount(this.#db, this.account, set, { differs, ifMatch, actor: this.#author.actor });
  }

  /** Revises rows only if the preceding change of the same write found a row: both or neither. */
  reviseAlong<T extends RevisedTable>(table: T, set: Changes<T>, where: SQL): Write<Row<T>[]> {
    return this.revise(table, set, all(where, sql`changes() > 0`), null);
  }

  /**
   * Stores the defaults where nothing is stored yet, for `revise` to change in the same batch; not where `ifMatch` names a
   * revision that they do not have.
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
   * Changes and their audit entry in one atomic D1 round trip. The entry is about the statement marked as its
   * `subject`, else the first, and is written if that changed a row: a write that found nothing leaves no trace.
   */
  async write<S extends readonly [Write<unknown>, ...AnyStatement[]]>(
    entry: ChangeEntry,
    ...statements: S
  ): Promise<Results<S>> {
    const about = statements.find(isSubject) ?? statements[0];
    const batch = statements.map((one) => (one === about ? this.#audited(one, entry) : one));
    return (await this.#run(batch)) as unknown as Results<S>;
  }

  /** Writes the audit entry of a change that is made outside D1, in one round trip. */
  async note(entry: ChangeEntry): Promise<void> {
    await this.#run([closeWrite("audit_log", this.#audit(entry, sql`WHERE true`))] as const);
  }

  /** Returns an audit entry of an act by the store's author at the present time, for `Ledger.note`. */
  act({ action, resource, resource_id, resource_name = null }: ActEntry): Act {
    const { actor, name, request_id } = this.#author;
    // The entry's time is in its id; a library's own clock would not follow this one back.
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

  /** Writes the platform's own bookkeeping (call events, campaign counters): atomic, not audited. */
  async record<S extends readonly AnyStatement[]>(...statements: S): Promise<Results<S>> {
    return this.#run(statements);
  }

  /**
   * The change and its one audit entry, which follows the piece that changes a row. An entry with old values, or with the
   * name of a deleted row, has to precede the change.
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

  /** The audit entry, once, if `source` gives a row. */
  #audit(entry: ChangeEntry, source: SQL) {
    const { action, resource, resource_id, changes } = entry;
    const at = new Date();
    const { actor, name, request_id } = this.#author;
    const actor_name = name ? sql`${name}` : actorName(this.account, actor);
    const isThemself = resource === "user" && actor === `console:${resource_id}`;
    const stored = isThemself ? actor_name : resourceName(this.account, resource, resource_id);
    const resource_name = entry.resource_name == null ? stored : sql`${entry.resource_name}`;
    // UUIDv7s made in order keep the order of entries of the same millisecond.
    const id = uuidv7();
    return this.#db
      .insert(schema.auditLog)
      .select(
        sql`SELECT ${this.account}, ${id}, ${at.toISOString()}, ${actor}, ${actor_name}, ${action}, ${resource}, ${resource_id}, ${resource_name}, ${request_id}, ${storedChanges(changes ?? {})}, NULL ${source}`,
      )
      .onConflictDoNothing();
  }

  /** Runs the statements as one batch: changes of configuration through the gate, all others directly. */
  async #run<S extends readonly AnyStatement[]>(statements: S): Promise<Results<S>> {
    const series = statements.map(open);
    const [first, ...rest] = series.flatMap(({ builders }) => builders) as BatchItem<"sqlite">[];
    if (!first) return [] as unknown as Results<S>;
    const tables = configured(series);
    const changed = configured(series.filter(({ adds }) => !adds));
    const added = tables.filter((table) => !changed.includes(table));
    const configure = (statements: BoundStatement[]) => this.#configure({ statements, tables, added });
    const db = tables.length > 0 ? drizzleOver(configure) : this.#db;
    const results: unknown[] = [...(await naming(db.batch([first, ...rest])))];
    return series.map(({ builders, result }) => result(results.splice(0, builders.length))) as Results<S>;
  }

  async #configure(batch: ConfigurationBatch): Promise<D1Result[]> {
    const outcome = await this.#database.configure(batch);
    if ("refused" in outcome) throw new Error(outcome.refused);
    return outcome.results;
  }
}

const isoNow = () => new Date().toISOString();

/** The tables of configuration that these statements change. */
function configured(series: Series[]): string[] {
  return [...new Set(series.flatMap(({ writes }) => (writes !== null && THROUGH_GATE.has(writes) ? [writes] : [])))];
}

/** @throws UniqueViolation, ReferenceViolation if D1 refused a row for that reason */
async function naming<T>(batch: Promise<T>): Promise<T> {
  try {
    return await batch;
  } catch (error) {
    throw violatedConstraint(error) ?? error;
  }
}

/** The constraint that made D1 refuse a row; null for any other error. */
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
