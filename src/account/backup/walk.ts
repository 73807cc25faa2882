import { asc, gt, ne } from "drizzle-orm";
import type { TableRows } from "../../kernel/backup/declared.ts";
import type { ObjectPage } from "../../kernel/backup/object-copy.ts";
import { type RowsPlace, readAccountRows } from "../../kernel/db/account-copy.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { campaigns, testRuns } from "../../kernel/db/schema/index.ts";
import {
  accountEvents,
  accountMeter,
  campaignObject,
  ledgerVolume,
  testRunObject,
} from "../../kernel/durable/objects.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { Vault } from "../../kernel/secrets/vault.ts";

/** The buckets, by what they hold. */
export const BUCKETS = { recordings: "RECORDINGS", conversations: "CONVERSATIONS" } as const;
export type BucketName = keyof typeof BUCKETS;

/** A file that a bucket has of the account: its key without the account's name, and its size, bytes. */
export interface StoredFile {
  name: string;
  size: number;
}

/** A page of a backup: `last` if the store has no more, `next` is where to continue, null at the end of the backup. */
export interface BackupPage {
  store: string;
  steps: number;
  tables: TableRows[];
  files: StoredFile[];
  last: boolean;
  next: Place | null;
}

export interface WalkContext {
  env: Env;
  store: Pick<AccountStore, "account" | "read" | "select" | "ledgerDays">;
  /** Under which secrets leave. */
  transport: Vault;
}

/** Writing D1's rows opens the object of events, which has to be restored before. */
const FIRST = "events";
/** Files listed at once. */
const FILES = 500;

/** Where a backup continues: the store and the place in it; null at the beginning. */
export interface Place {
  store: string;
  at?: unknown;
}

type Part = Pick<BackupPage, "steps" | "tables" | "files"> & { at: unknown };

/**
 * The page at a place, null at the beginning: the account's objects, D1, campaigns, test runs, and then the files. Places are the service's own: they are
 * handed out signed.
 */
export async function readPage(context: WalkContext, after: Place | null): Promise<BackupPage> {
  const { store: name, at = null } = after ?? { store: FIRST };
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
    const { rows, next } = await readAccountRows(env.DB, vaults, at as RowsPlace | null);
    return { steps: 0, tables: rows.rows.length > 0 ? [rows] : [], files: [], at: next };
  }
  if (name === "recordings" || name === "conversations") {
    const bucket = env[BUCKETS[name]];
    const prefix = `${store.account}/`;
    const listed = await bucket.list({ prefix, limit: FILES, ...(typeof at === "string" && { cursor: at }) });
    const files = listed.objects.map(({ key, size }) => ({ name: key.slice(prefix.length), size }));
    return { steps: 0, tables: [], files, at: listed.truncated ? listed.cursor : null };
  }
  const { steps, tables, next } = await readObjectPart(context, name, at);
  return { steps, tables, files: [], at: next };
}

/** An object of the account by its name in a backup. @throws ApiError 404 */
export function objectOf(env: Env, account: string, name: string) {
  const [kind, id = ""] = name.split("/");
  if (kind === "events") return accountEvents(env, account);
  if (kind === "meter") return accountMeter(env, account);
  if (kind === "ledger") return ledgerVolume(env, account, id);
  if (kind === "campaign") return campaignObject(env, account, id);
  if (kind === "test_run") return testRunObject(env, account, id);
  throw notFound("store");
}

async function readObjectPart({ env, store }: WalkContext, name: string, at: unknown): Promise<ObjectPageAnyhow> {
  const object = objectOf(env, store.account, name) as { backup(from: unknown): Promise<ObjectPageAnyhow> };
  return object.backup(at);
}

type ObjectPageAnyhow = Omit<ObjectPage, "next"> & { next: unknown };

/** The store that comes after one; null after the last. A campaign asks carriers by what D1 has, and reports to the ledger. */
async function storeAfter({ store }: WalkContext, name: string): Promise<string | null> {
  const [kind, id = ""] = name.split("/");
  if (kind === "events") return "meter";
  if (kind === "meter" || kind === "ledger") {
    const [days] = await store.read(store.ledgerDays());
    const day = days.find((one) => one > id);
    return day === undefined ? "d1" : `ledger/${day}`;
  }
  if (kind === "d1" || kind === "campaign") {
    const next = store.select(campaigns, {
      columns: ["id"],
      where: all(gt(campaigns.id, id)),
      orderBy: [asc(campaigns.id)],
      limit: 1,
    });
    const [[row]] = await store.read(next);
    return row ? `campaign/${row.id}` : runAfter(store, "");
  }
  if (kind === "test_run") return runAfter(store, id);
  return kind === "recordings" ? "conversations" : null;
}

/** The next finished test run after this one; the files if there is none. */
async function runAfter(store: WalkContext["store"], id: string): Promise<string> {
  const next = store.select(testRuns, {
    columns: ["id"],
    where: all(gt(testRuns.id, id), ne(testRuns.status, "running")),
    orderBy: [asc(testRuns.id)],
    limit: 1,
  });
  const [[row]] = await store.read(next);
  return row ? `test_run/${row.id}` : "recordings";
}
