/**
 * `npm run backup -- <account> --out <file> [--move] [--remote URL]` writes an account to one sealed file.
 * `npm run backup -- --all --out <folder> [--keep <days>] [--remote URL]` writes each account to a file, for nightly runs.
 * `npm run backup -- <account> --erasures --out <file>` writes erasures and opt-outs alone, to restore an older backup.
 * `npm run backup -- --verify <file>` checks whether a file is complete, and prints a summary.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { failureText } from "../failure.ts";
import { passphrase } from "./ask.ts";
import { openBackup, verifyBackup, writeBackup } from "./file.ts";
import type { Totals } from "./records.ts";
import { withService } from "./service.ts";
import { erasuresOf, recordsOf } from "./take.ts";
import { type Outcome, takeAll } from "./take-all.ts";

const USAGE =
  "usage: npm run backup -- <account> --out <file> [--move | --erasures] [--remote https://… [--email you@…]] [--passphrase-file <file>], --all --out <folder> [--keep <days>], or --verify <file>";
/** The exit code if the backup of some accounts failed; 1 if the command could not begin. */
const SOME_FAILED = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string" },
    verify: { type: "string" },
    all: { type: "boolean", default: false },
    keep: { type: "string" },
    move: { type: "boolean", default: false },
    erasures: { type: "boolean", default: false },
    remote: { type: "string" },
    email: { type: "string" },
    "passphrase-file": { type: "string" },
  },
});
try {
  const [account, ...more] = positionals;
  const { out, all, keep, move, erasures } = values;
  if (values.verify !== undefined && account === undefined && !all) await verify(values.verify);
  else if (out === undefined || more.length > 0 || (move && erasures)) throw new Error(USAGE);
  else if (account !== undefined && !all && keep === undefined) await take(account, out);
  else if (account === undefined && all && !move && !erasures) await everyAccount(out, daysOf(keep));
  else throw new Error(USAGE);
} catch (error) {
  console.error(`backup: ${failureText(error)}`);
  process.exit(1);
}

/** Returns the service to read from. A move changes the account, for which an operator's token is not enough. */
function service() {
  const { remote, email, move } = values;
  const { OPERATOR_TOKEN } = process.env;
  if (remote === undefined) return null;
  return { url: remote, email, token: move || email !== undefined ? undefined : OPERATOR_TOKEN || undefined };
}

async function take(account: string, out: string): Promise<void> {
  const { move, erasures } = values;
  const phrase = await passphrase(values["passphrase-file"], true);
  const say = (line: string) => console.error(`backup: ${line}`);
  const totals = await withService(service(), (api) =>
    writeBackup(out, phrase, ({ transport }) => {
      const options = { api, account, transport, now: () => new Date(), pause: sleep, say };
      return erasures ? erasuresOf(options) : recordsOf(Object.assign({ move }, options));
    }),
  );
  print(totals);
  if (erasures) console.log(`wrote the erasures and opt-outs of ${account} to ${out}`);
  else console.log(move ? `wrote ${account} to ${out} and disabled the account` : `wrote ${account} to ${out}`);
}

async function everyAccount(folder: string, keepDays: number | null): Promise<void> {
  const phrase = await passphrase(values["passphrase-file"], true);
  const outcomes = await withService(service(), (api) =>
    takeAll({ api, folder, passphrase: phrase, keepDays, now: () => new Date(), pause: sleep, tell }),
  );
  const counted = (state: Outcome["state"]) => outcomes.filter((one) => one.state === state).length;
  const failed = counted("failed");
  console.log(
    `${outcomes.length} account${outcomes.length === 1 ? "" : "s"}: ${counted("taken")} backed up, ${counted("there")} already backed up, ${failed} failed`,
  );
  if (failed > 0) process.exitCode = SOME_FAILED;
}

/** Prints a line for each account; failures go to standard error, which cron mails even if standard output is discarded. */
function tell(outcome: Outcome): void {
  if (outcome.state === "failed") console.error(`${outcome.account}: failed: ${outcome.reason}`);
  else console.log(`${outcome.account}: ${outcome.state === "there" ? "already " : ""}backed up to ${outcome.file}`);
}

function daysOf(keep: string | undefined): number | null {
  if (keep === undefined) return null;
  if (!/^[1-9]\d{0,3}$/.test(keep)) throw new Error(`--keep must be a number of days, such as 35, not ${keep}`);
  return Number(keep);
}

async function verify(file: string): Promise<void> {
  const { head, totals } = await verifyBackup(
    await openBackup(file, await passphrase(values["passphrase-file"], false)),
  );
  print(totals);
  if (head.type !== "head") return;
  const { account, taken_at, source, id, moved, erasures } = head.value;
  const what = erasures ? ", only erasures" : moved ? ", moved" : "";
  console.log(`${file} is complete: ${account.name} of ${source}, ${taken_at}${what}, backup ${id}`);
}

function print(totals: Totals): void {
  for (const [kind, { count, sha256 }] of Object.entries(totals))
    console.log(`${String(count).padStart(9)}  ${sha256}  ${kind}`);
}
