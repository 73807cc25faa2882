import { CATALOG } from "../../agent/catalog/index.ts";
import type { TableRows } from "../../kernel/backup/declared.ts";
import { writeAccountRows } from "../../kernel/db/account-copy.ts";
import type { AccountRow } from "../../kernel/db/look-ups.ts";
import type { OperatorStore } from "../../kernel/db/operator-store.ts";
import { restores } from "../../kernel/db/schema/index.ts";
import { accountDatabase, accountStore } from "../../kernel/durable/account-stores.ts";
import { conflict, notFound } from "../../kernel/http/errors.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import { D1_TABLES } from "../stores.ts";
import { bringMembers, type Member } from "./members.ts";
import { type RestoredFile, storeFile } from "./restored-file.ts";
import { bucketOf, hasObject, objectOf } from "./walk.ts";

const AUTHOR = { actor: "system:restore", request_id: "" };

export interface RestoreContext {
  env: Env;
  operatorStore: OperatorStore;
  /** The current time, ISO 8601. */
  now: string;
}

/** The target account and the backup. */
export interface RestoreOf {
  account: string;
  backup: string;
}

/** The account's own row in backups. */
export type AccountHead = Omit<
  AccountRow,
  | "sessions_valid_after"
  | "updated_at"
  | "retention_due_at"
  | "retention_owed_since"
  | "revision"
  | "updated_by"
  | "revised_at"
> & {
  members?: Member[] | undefined;
  members_signature?: string | undefined;
};

export interface RestorePage {
  store: string;
  /** The name of the source account. */
  source: string;
  steps: number;
  tables: TableRows[];
  last: boolean;
  /** The vault that seals the secrets in transit. */
  transport: Vault;
}

/**
 * Creates the account, disabled, or continues a restore of this backup into it. Returns whether the restore is
 * complete. @throws ApiError 409 for an existing account that was not created from this backup
 */
export async function beginRestore(
  { operatorStore, now }: RestoreContext,
  { account, backup }: RestoreOf,
  { display_name, timezone, max_key_expiry_days, recording_retention_days, ledger_days, created_at }: AccountHead,
  plan: AccountRow["plan"],
): Promise<boolean> {
  // Settings that operators decide are never taken from the file: the plan, quotas, caps, and whether the account is
  // listed.
  const row = {
    name: account,
    display_name,
    timezone,
    plan,
    listed: false,
    max_key_expiry_days,
    recording_retention_days,
    ledger_days,
    created_at,
    disabled_at: now,
    // Prevents seeding before the account's own rows are restored.
    catalog_version: CATALOG.version,
    sessions_valid_after: now,
    updated_at: now,
  };
  await operatorStore.create(row, (statements) => [statements.insert(restores, { backup, begun_at: now })]);
  const found = await operatorStore.restore(account);
  if (found?.backup !== backup)
    throw conflict(
      "account_exists",
      `the account ${account} exists and is not from this backup: restore under another name`,
    );
  return found.finished_at !== null;
}

/** Writes a page (idempotent). @throws ApiError 404, 409 */
export async function writePage(context: RestoreContext, of: RestoreOf, page: RestorePage): Promise<void> {
  if (await assertRestoring(context, of)) return;
  const { env, now } = context;
  const { account, backup } = of;
  const { store, source, steps, tables, last, transport } = page;
  if (store === "d1") {
    const vaults = {
      from: { vault: transport, account: source },
      to: { vault: new Vault(env.ENCRYPTION_KEYS), account },
    };
    for (const rows of tables) {
      const statement = await writeAccountRows(D1_TABLES, vaults, rows, { backup, now });
      const outcome = await accountDatabase(env, account).configure({
        statements: [statement],
        tables: [rows.table],
        added: [],
      });
      if ("refused" in outcome)
        throw conflict("not_consistent", `rows of ${rows.table} refer to rows that do not exist`);
    }
  } else if (!bucketOf(env, store)) {
    const object = objectOf(env, account, store);
    await assertListed(env, account, store);
    await object.restore({ backup, steps, tables, last });
  }
}

/** Stores a file of the backup. @throws ApiError 404, 409, 413 */
export async function writeFile(context: RestoreContext, of: RestoreOf, file: RestoredFile): Promise<void> {
  if (await assertRestoring(context, of)) return;
  await storeFile(context.env, of.account, file);
}

/**
 * Refuses a page of an object that the restored account does not list, because its rows could not be reached, listed,
 * counted against quotas or deleted. @throws ApiError 409
 */
async function assertListed(env: Env, account: string, name: string): Promise<void> {
  if (await hasObject({ env, store: accountStore(env, account, AUTHOR) }, name)) return;
  throw conflict("not_listed", `the restored account does not list ${name}`);
}

/** Opens the account, unless it was disabled at the source. @throws ApiError 404, 409 */
export async function finishRestore(context: RestoreContext, of: RestoreOf, head: AccountHead): Promise<void> {
  if (await assertRestoring(context, of)) return;
  const { operatorStore, now } = context;
  await bringMembers(context, of, head);
  const { disabled_at } = head;
  const catalog_version = Math.min(head.catalog_version, CATALOG.version);
  const set = { disabled_at, catalog_version, sessions_valid_after: now, updated_at: now };
  await operatorStore.finishRestore(of.account, of.backup, set, now);
}

/** Returns whether the restore is finished. @throws ApiError 404, 409 */
export async function assertRestoring(
  { operatorStore }: RestoreContext,
  { account, backup }: RestoreOf,
): Promise<boolean> {
  const found = await operatorStore.restore(account);
  if (!found) throw notFound("restore");
  if (found.backup !== backup) throw conflict("another_backup", "another backup is being restored there");
  return found.finished_at !== null;
}
