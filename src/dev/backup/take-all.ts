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
  /** Files older than this are removed, days; null keeps all. */
  keepDays: number | null;
  now: () => Date;
  pause: (ms: number) => Promise<unknown>;
  /** Called with each account as its turn is over. */
  tell: (outcome: Outcome) => void;
}

/** How it went with an account: `there` if an earlier run of the day took it. */
export type Outcome =
  | { account: string; state: "taken" | "there"; file: string }
  | { account: string; state: "failed"; reason: string };

/** Accounts at once. Deriving the key of a file takes 128 MB. */
const AT_ONCE = 4;
/** A partial file is left over if nothing was written to it for this long, ms. */
const LEFT_OVER_MS = 24 * 3_600_000;

/**
 * Backs up every account that the operator may read, each in a file of its own, and removes old files. An account that
 * fails holds up no other, and one that an earlier run of the day (UTC) has taken is not taken again.
 * @throws Error where the accounts cannot be listed, or the folder cannot be written
 */
export async function takeAll(options: Options): Promise<Outcome[]> {
  const { api, folder, keepDays, now, tell } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftOvers(folder, now());
  const { accounts } = await api.json<{ accounts: { name: string }[] }>("GET", "/api/admin/v1/accounts");
  const names = accounts.map(({ name }) => name);
  // They become names of files here, whatever the service is.
  const strange = names.find((name) => !ACCOUNT_NAME.test(name));
  if (strange !== undefined) throw new Error(`the service has an account whose name no account can have: ${strange}`);
  const day = now().toISOString().slice(0, 10);
  let isRefused = false;
  const outcomes = await pMap(
    names,
    async (account): Promise<Outcome> => {
      const outcome = await taken(account).catch((error: unknown): Outcome => {
        // A token that has expired or was revoked opens nothing more, and each try would count as guessing.
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
    if (isRefused) throw new Error("not tried, because the service has refused the credential");
    const { passphrase, pause } = options;
    const say = () => undefined;
    await writeBackup(file, passphrase, ({ transport }) =>
      recordsOf({ api, account, transport, move: false, now, pause, say }),
    );
    return { account, state: "taken", file };
  }
}

/** Removes what runs that were killed have left. */
async function removeLeftOvers(folder: string, now: Date): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => one.endsWith(".partial"))) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now.getTime() }));
    if (now.getTime() - mtimeMs > LEFT_OVER_MS) await rm(path, { force: true });
  }
}

const FILE = /^([a-z0-9][a-z0-9_-]*)\.(\d{4}-\d\d-\d\d)\.backup$/;

/** The file of an account's backup of a day (UTC, `2026-11-28`): a second run on the same day finds it. */
export const fileOf = (folder: string, account: string, day: string): string =>
  join(folder, `${account}.${day}.backup`);

/**
 * Returns those of a folder's files that are older than so many days before `day`, but never the newest of an account
 * that is still there: if its backups fail for weeks, that file is all there is. Names of other files are ignored.
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
