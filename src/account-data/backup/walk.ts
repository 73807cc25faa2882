import type { TableRows } from "../../kernel/backup/declared.ts";
import { type RowsCursor, readAccountRows } from "../../kernel/db/account-copy.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import type { Copied, ObjectStore } from "../../kernel/stores/stores.ts";
import { BUCKET_BINDINGS, BUCKETS, D1_TABLES, OBJECTS, prefixOf } from "../stores.ts";

/** A file in a bucket: its key without the account's name, and its size, bytes. */
export interface StoredFile {
  name: string;
  size: number;
}

/**
 * A page of a backup. `last` is set on a store's last page. `next` is the position where the backup continues; null at
 * its end.
 */
export interface BackupPage {
  store: string;
  steps: number;
  tables: TableRows[];
  files: StoredFile[];
  last: boolean;
  next: BackupCursor | null;
}

export interface WalkContext {
  env: Env;
  store: Pick<AccountStore, "account" | "read" | "select" | "ledgerDays">;
  /** The vault that seals secrets in transit. */
  transport: Vault;
}

/** The number of files listed at once. */
const FILES = 500;

/** The position where a backup continues: the store and the position in it; null at the beginning. */
export interface BackupCursor {
  store: string;
  at?: unknown;
}

type Part = Pick<BackupPage, "steps" | "tables" | "files"> & { at: unknown };

type Named<Store> = [name: string, store: Store];
const COPIED = Object.values(OBJECTS)
  .flatMap((store): Named<ObjectStore>[] => (store.backup === undefined ? [] : [[store.backup, store]]))
  .reverse();
export const COPIED_OBJECTS: ReadonlyMap<string, ObjectStore> = new Map(COPIED);
const isAfterD1 = ([, { listing }]: Named<ObjectStore>) => listing.rows !== undefined;

export const COPIED_BUCKETS = Object.values(BUCKETS);
export type BucketName = (typeof COPIED_BUCKETS)[number]["backup"];

/**
 * The stores of a backup in order. The object of events must be restored before D1's rows, because writing them opens
 * it. Other objects are restored after D1's rows, which list them, and before the files that they list.
 */
export const ORDER: readonly string[] = [
  ...COPIED.filter((one) => !isAfterD1(one)),
  "d1" as const,
  ...COPIED.filter(isAfterD1),
  ...COPIED_BUCKETS.map(({ backup }) => backup),
].map((one) => (typeof one === "string" ? one : one[0]));

/**
 * Returns the page at a position; null means the beginning. Clients get positions signed, so the positions can be
 * trusted.
 */
export async function readPage(context: WalkContext, after: BackupCursor | null): Promise<BackupPage> {
  const { store: name, at = null } = after ?? { store: ORDER[0] ?? "d1" };
  const part = await readPart(context, name, at);
  const isLast = part.at === null;
  const following = isLast ? await storeAfter(context, name) : name;
  const next = following === null ? null : { store: following, at: part.at };
  const { steps, tables, files } = part;
  return { store: name, steps, tables, files, last: isLast, next };
}

async function readPart(context: WalkContext, name: string, at: unknown): Promise<Part> {
  const { env, store, transport } = context;
  if (name === "d1") {
    const own = { vault: new Vault(env.ENCRYPTION_KEYS), account: store.account };
    const vaults = { from: own, to: { vault: transport, account: store.account } };
    const { rows, next } = await readAccountRows(env.DB, D1_TABLES, vaults, at as RowsCursor | null);
    return { steps: 0, tables: rows.rows.length > 0 ? [rows] : [], files: [], at: next };
  }
  const bucket = bucketOf(env, name);
  if (bucket) {
    const prefix = prefixOf(store.account);
    const listed = await bucket.list({ prefix, limit: FILES, ...(typeof at === "string" && { cursor: at }) });
    const files = listed.objects.map(({ key, size }) => ({ name: key.slice(prefix.length), size }));
    return { steps: 0, tables: [], files, at: listed.truncated ? listed.cursor : null };
  }
  const { steps, tables, next } = await objectOf(env, store.account, name).backup(at);
  return { steps, tables, files: [], at: next };
}

export function bucketOf(env: Env, name: string): R2Bucket | undefined {
  const binding = BUCKET_BINDINGS.find((one) => BUCKETS[one].backup === name);
  return binding && env[binding];
}

/** Splits the name of an object in a backup. */
const partsOf = (name: string): { kind: string; id: string } => {
  const [kind = "", id = ""] = name.split("/");
  return { kind, id };
};

/** Returns an object of the account by its name in a backup. @throws ApiError 404 */
export function objectOf(env: Env, account: string, name: string): Copied {
  const { kind, id } = partsOf(name);
  const store = COPIED_OBJECTS.get(kind);
  if (!store) throw notFound("store");
  return store.at(env, account, id) as Copied & ReturnType<ObjectStore["at"]>;
}

export async function hasObject(context: Pick<WalkContext, "env" | "store">, name: string): Promise<boolean> {
  const { kind, id } = partsOf(name);
  return (await COPIED_OBJECTS.get(kind)?.listing.has?.(context, id)) ?? false;
}

/** Returns the store that follows this one; null after the last. */
async function storeAfter({ env, store }: WalkContext, name: string): Promise<string | null> {
  const { kind, id } = partsOf(name);
  for (const following of ORDER.slice(ORDER.indexOf(kind))) {
    const objects = COPIED_OBJECTS.get(following);
    if (!objects && following !== kind) return following;
    if (!objects) continue;
    const { rows, list } = objects.listing;
    // If backups omit an object's row, they also omit the object.
    const only = rows && "only" in D1_TABLES[rows] ? D1_TABLES[rows].only : undefined;
    const { ids } = await list({ env, store, only }, following === kind ? id : null, 1);
    const [first] = ids;
    if (first !== undefined) return first === "" ? following : `${following}/${first}`;
  }
  return null;
}
