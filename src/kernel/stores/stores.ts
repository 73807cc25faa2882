import { asc, eq, gt, inArray } from "drizzle-orm";
import type { ObjectPage, ObjectRestore } from "../backup/object-copy.ts";
import type { AccountStore } from "../db/account-store.ts";
import { all } from "../db/conditions.ts";
import type { campaigns, erasures, testRuns, webhooks } from "../db/schema/index.ts";
import type { Migration } from "../durable/migrate.ts";
import type { Erasing, Swept } from "../erasure/sweep.ts";
import type { PersonalBucket } from "../personal-data.ts";
import type { D1Table, Tables } from "./tables.ts";

/** The name of each Durable Object class's binding. */
export type ObjectBinding = {
  [Name in keyof Env]: Env[Name] extends { getByName(name: string): unknown } ? Name : never;
}[keyof Env];

/** The name of each bucket's binding. */
export type BucketBinding = { [Name in keyof Env]: Env[Name] extends R2Bucket ? Name : never }[keyof Env];

export interface StoreContext {
  env: Env;
  store: Pick<AccountStore, "account" | "read" | "select" | "ledgerDays">;
}

export interface ListContext extends StoreContext {
  /** The days on which the ledger's volumes begin, if the caller knows them; read from the account's row by default. */
  volumes?: readonly string[];
  /** The only values of columns of the D1 table that lists the objects. */
  only?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Ids of some objects of a class, in a stable order; `next` is where the list continues, null at its end. */
export interface IdsPage {
  ids: string[];
  next: string | null;
}

/** How the objects of an account are found. One that is created during a walk may be missing. */
export interface Listing {
  /** Lists at most `limit` objects after a place; null begins. */
  list(context: ListContext, after: string | null, limit: number): Promise<IdsPage>;
  /** Whether the account has an object of this id, for a class that backups copy. */
  has?(context: StoreContext, id: string): Promise<boolean>;
  /** The D1 table that lists the objects, if one does. */
  readonly rows?: D1Table;
}

/** What every object has. */
export interface StoredObject {
  readonly name?: string;
  /** Deletes all that it stores; gives whether there was anything. */
  deleteEverything(): Promise<boolean>;
}

/** An object that backups copy. */
export interface Copied {
  backup(from: unknown): Promise<Omit<ObjectPage, "next"> & { next: unknown }>;
  restore(page: ObjectRestore): Promise<void>;
}

/** Erases a person from an object, like a {@link Sweep} of D1. */
export interface ObjectSweep<Stub> {
  /** Whether the objects report to the ledger, so that they come before it. */
  readonly isFirst?: true;
  /** Lists the objects to visit, if those are not all objects of the class. */
  readonly list?: Listing["list"];
  run(object: Stub, work: Erasing, place: unknown): Promise<Swept>;
}

/** A class of Durable Objects: everything that erasure, backup, restore and deletion need to know of it. */
export type ObjectStore<Stub extends StoredObject = StoredObject> = {
  readonly migrations: readonly Migration[];
  readonly tables: Tables;
  readonly listing: Listing;
  /** Returns an object by the account and its id, which is empty where an account has one such object. */
  at(env: Env, account: string, id: string): Stub;
  /** What backups call its objects, if they copy any. */
  readonly backup?: string;
} & (
  | {
      /** Erase a person, each under the name by which erasures store how far they are. */
      readonly sweeps: Readonly<Record<string, ObjectSweep<Stub>>>;
    }
  | {
      /** What else erases a person from it. */
      readonly erasedBy: string;
    }
);

/** A bucket; every key begins with the account's name and a slash. */
export interface BucketStore<Name extends string = string> extends PersonalBucket {
  /** What backups call it. */
  readonly backup: Name;
  /** The most bytes of a file that a restore takes. */
  readonly most: number;
  /** How a file's name begins with the id of the row that lists it. */
  readonly file: RegExp;
  /** The media type that a restored file gets, whatever the backup says: browsers execute none of them. */
  mediaType(claimed: string): string;
  /** Whether a row of the account lists files by this id. */
  isListed(context: StoreContext, id: string): Promise<boolean>;
}

/** Declares a class, whose objects' type follows from `at`. */
export const objectStore = <Stub extends StoredObject>(store: ObjectStore<Stub>): ObjectStore => store;

/** Lists objects of these ids, the same for every account. */
export function fixed(ids: readonly string[]): Listing {
  return { list: async (_, after, limit) => idsAfter(ids, after, limit), has: async (_, id) => ids.includes(id) };
}

/** Lists the one object that an account has of a class. */
export const ONE: Listing = fixed([""]);

/** Returns ids after one of them, which are in ascending order or fixed. */
export function idsAfter(ids: readonly string[], after: string | null, limit: number): IdsPage {
  const rest = after === null ? ids : ids.slice(ids.indexOf(after) + 1);
  const page = rest.slice(0, limit);
  return { ids: page, next: page.length < rest.length ? (page.at(-1) ?? null) : null };
}

/** Returns the days on which the volumes of the account's ledger begin, oldest first. */
export async function volumesOf({ store, volumes }: ListContext): Promise<readonly string[]> {
  return volumes ?? (await store.read(store.ledgerDays()))[0];
}

/** Lists objects that have a row each in a table. */
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
