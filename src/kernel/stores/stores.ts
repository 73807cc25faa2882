import { asc, eq, gt, inArray } from "drizzle-orm";
import type { ObjectPage, ObjectRestore } from "../backup/object-copy.ts";
import type { AccountStore } from "../db/account-store.ts";
import { all } from "../db/conditions.ts";
import type { campaigns, erasures, testRuns, webhooks } from "../db/schema/index.ts";
import type { Migration } from "../durable/migrate.ts";
import type { Erasing, Swept } from "../erasure/sweep.ts";
import type { PersonalBucket } from "../personal-data.ts";
import type { D1Table, Tables } from "./tables.ts";

export type ObjectBinding = {
  [Name in keyof Env]: Env[Name] extends { getByName(name: string): unknown } ? Name : never;
}[keyof Env];

export type BucketBinding = { [Name in keyof Env]: Env[Name] extends R2Bucket ? Name : never }[keyof Env];

export interface StoreContext {
  env: Env;
  store: Pick<AccountStore, "account" | "read" | "select" | "ledgerDays">;
}

export interface ListContext extends StoreContext {
  /**
   * The first days of the ledger's volumes, if the caller knows them. By default they are read from the account's row.
   */
  volumes?: readonly string[];
  /** Lists only objects with these values in the columns of the D1 table. */
  only?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Ids of objects of a class in a stable order. `next` is where the list continues; null at the end. */
export interface IdsPage {
  ids: string[];
  next: string | null;
}

/** Lists the objects of an account. An object that is created during a walk may be missing. */
export interface Listing {
  /** Returns at most `limit` objects after an id; null starts at the beginning. */
  list(context: ListContext, after: string | null, limit: number): Promise<IdsPage>;
  /** Checks whether the account has an object with this id. Only needed for classes in backups. */
  has?(context: StoreContext, id: string): Promise<boolean>;
  readonly rows?: D1Table;
}

/** The methods every object has. */
export interface StoredObject {
  readonly name?: string;
  /** Deletes everything that the object stores. Returns whether there was anything. */
  deleteEverything(): Promise<boolean>;
}

/** An object included in backups. */
export interface Copied {
  backup(from: unknown): Promise<Omit<ObjectPage, "next"> & { next: unknown }>;
  restore(page: ObjectRestore): Promise<void>;
}

/** Erases a person from an object, in the same way as a {@link Sweep} does from D1. */
export interface ObjectSweep<Stub> {
  /**
   * Set for objects that report to the ledger. They are swept before it, because otherwise they would report erased
   * data again.
   */
  readonly isFirst?: true;
  /** Lists the objects to visit; by default all objects of the class. */
  readonly list?: Listing["list"];
  run(object: Stub, work: Erasing, cursor: unknown): Promise<Swept>;
}

/** A class of Durable Objects, with everything that erasures, backups, restores and deletions need to know about it. */
export type ObjectStore<Stub extends StoredObject = StoredObject> = {
  readonly migrations: readonly Migration[];
  readonly tables: Tables;
  readonly listing: Listing;
  /** Returns an object's stub. `id` is empty if an account has one object of the class. */
  at(env: Env, account: string, id: string): Stub;
  /** The name of the class in backups, if they include it. */
  readonly backup?: string;
} & (
  | {
      /** The sweeps that erase a person. Erasures store their progress under these names. */
      readonly sweeps: Readonly<Record<string, ObjectSweep<Stub>>>;
    }
  | {
      /** The code that erases a person from the class instead. */
      readonly erasedBy: string;
    }
);

/** A bucket. Every key begins with the account's name and a slash. */
export interface BucketStore<Name extends string = string> extends PersonalBucket {
  readonly backup: Name;
  /** The maximum size of restored files, bytes. */
  readonly most: number;
  /** Matches the id of the row at the beginning of a file's name. */
  readonly file: RegExp;
  /**
   * Returns the media type of a restored file, regardless of the backup's. Browsers execute none of the returned types.
   */
  mediaType(claimed: string): string;
  /** Checks whether a row of the account lists files with this id. */
  isListed(context: StoreContext, id: string): Promise<boolean>;
}

/** Declares a class of objects. Its type follows from `at`. */
export const objectStore = <Stub extends StoredObject>(store: ObjectStore<Stub>): ObjectStore => store;

/** Returns a listing of these ids, the same for every account. */
export function fixed(ids: readonly string[]): Listing {
  return { list: async (_, after, limit) => idsAfter(ids, after, limit), has: async (_, id) => ids.includes(id) };
}

/** The listing of a class with one object per account. */
export const ONE: Listing = fixed([""]);

export function idsAfter(ids: readonly string[], after: string | null, limit: number): IdsPage {
  const rest = after === null ? ids : ids.slice(ids.indexOf(after) + 1);
  const page = rest.slice(0, limit);
  return { ids: page, next: page.length < rest.length ? (page.at(-1) ?? null) : null };
}

/** Returns the first days of the volumes of the account's ledger, oldest first. */
export async function volumesOf({ store, volumes }: ListContext): Promise<readonly string[]> {
  return volumes ?? (await store.read(store.ledgerDays()))[0];
}

export function byRows(
  rows: D1Table,
  table: typeof campaigns | typeof erasures | typeof testRuns | typeof webhooks,
): Listing {
  return {
    rows,
    async list({ store, only = {} }, after, limit) {
      const wanted = Object.entries(table).flatMap(([name, column]) =>
        name in only ? [inArray(column, [...(only[name] ?? [])])] : [],
      );
      const where = all(gt(table.id, after ?? ""), ...wanted);
      const [found] = await store.read(
        store.select(table, { where, columns: ["id"], orderBy: [asc(table.id)], limit }),
      );
      return { ids: found.map(({ id }) => id), next: found.at(-1)?.id ?? null };
    },
    async has({ store }, id) {
      const [found] = await store.read(store.select(table, { where: eq(table.id, id), columns: ["id"], limit: 1 }));
      return found.length > 0;
    },
  };
}
