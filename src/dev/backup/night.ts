import { join } from "node:path";

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
