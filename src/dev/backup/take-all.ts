import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import pMap from "p-map";
import { ACCOUNT_NAME } from "../../kernel/secrets/api-key.ts";
import { UnexpectedAnswer } from "../client.ts";
import { failureText } from "../failure.ts";
import type { OperatorApi } from "./api.ts";
import { isBackup, writeBackup } from "./file.ts";
import { recordsOf } from "./take.ts";

interface Options {
  api: OperatorApi;
  folder: string;
  passphrase: string;
  /** The age after which files are removed, days; null keeps all. */
  keepDays: number | null;
  now: () => Date;
  pause: (ms: number) => Promise<unknown>;
  /** Called with the outcome of each account. */
  tell: (outcome: Outcome) => void;
}

/** The outcome for an account: `there` if an earlier run of the day backed it up. */
export type Outcome =
  | { account: string; state: "taken" | "there"; file: string }
  | { account: string; state: "failed"; reason: string };

/** The number of accounts at a time: deriving the key of a file takes 128 MB. */
const AT_ONCE = 4;
/** A partial file to which nothing was written for this long, ms, was left by a killed run. */
const LEFT_OVER_MS = 24 * 3_600_000;

/**
 * Backs up every account that the operator may read, each in its own file, and removes old files. An account that fails
 * does not stop the others. Skips accounts that an earlier run of the day (UTC) backed up.
 * @throws Error if the accounts cannot be listed, or the folder cannot be written
 */
export async function takeAll(options: Options): Promise<Outcome[]> {
  const { api, folder, keepDays, now, tell } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftOvers(folder, now());
  const { accounts } = await api.json<{ accounts: { name: string }[] }>("GET", "/api/admin/v1/accounts");
  const names = accounts.map(({ name }) => name);
  // The names become file names here, so they are checked, whatever the service sends.
  const strange = names.find((name) => !ACCOUNT_NAME.test(name));
  if (strange !== undefined) throw new Error(`the service listed an account with an invalid name: ${strange}`);
  const day = now().toISOString().slice(0, 10);
  let isRefused = false;
  const outcomes = await pMap(
    names,
    async (account): Promise<Outcome> => {
      const outcome = await taken(account).catch((error: unknown): Outcome => {
        // With an expired or revoked token, every further request would fail and count as an attempt to guess a token.
        if (error instanceof UnexpectedAnswer && error.status === 401) isRefused = true;
        return { account, state: "failed", reason: failureText(error) };
      });
      tell(outcome);
      return outcome;
    },
    { concurrency: AT_ONCE },
  );
  if (keepDays !== null)
    for (const name of toPrune(await readdir(folder), { day, keepDays, accounts: names })) await rm(join(folder, name));
  return outcomes;

  async function taken(account: string): Promise<Outcome> {
    const file = fileOf(folder, account, day);
    if (await isBackup(file)) return { account, state: "there", file };
    if (isRefused) throw new Error("not tried, because the service rejected the credentials");
    const { passphrase, pause } = options;
    const say = () => undefined;
    await writeBackup(file, passphrase, ({ transport }) =>
      recordsOf({ api, account, transport, move: false, now, pause, say }),
    );
    return { account, state: "taken", file };
  }
}

/** Removes the partial files of killed runs. */
async function removeLeftOvers(folder: string, now: Date): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => one.endsWith(".partial"))) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now.getTime() }));
    if (now.getTime() - mtimeMs > LEFT_OVER_MS) await rm(path, { force: true });
  }
}

const FILE = /^([a-z0-9][a-z0-9_-]*)\.(\d{4}-\d\d-\d\d)\.backup$/;

/** Returns the path of an account's backup of a day (UTC, `2026-11-28`), so that a second run on that day finds it. */
export const fileOf = (folder: string, account: string, day: string): string =>
  join(folder, `${account}.${day}.backup`);

/**
 * Returns the backups in a folder that are more than `keepDays` older than `day`, but never the newest backup of an
 * account that still exists: if its backups fail for weeks, that file is the only one. Ignores other files.
 */
export function toPrune(
  names: readonly string[],
  { day, keepDays, accounts }: { day: string; keepDays: number; accounts: readonly string[] },
): string[] {
  const oldest = new Date(day);
  oldest.setUTCDate(oldest.getUTCDate() - keepDays);
  const from = oldest.toISOString().slice(0, 10);
  const files = names.flatMap((name) => {
    const [, account, taken] = FILE.exec(name) ?? [];
    return account !== undefined && taken !== undefined ? [{ name, account, taken }] : [];
  });
  const newest = new Map<string, string>();
  for (const { account, taken } of files) if (taken > (newest.get(account) ?? "")) newest.set(account, taken);
  const isLast = ({ account, taken }: { account: string; taken: string }) =>
    accounts.includes(account) && newest.get(account) === taken;
  return files.filter((file) => file.taken < from && !isLast(file)).map(({ name }) => name);
}
