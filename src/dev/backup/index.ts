/**
 * `npm run backup -- <account> --out <file> [--move] [--remote URL]`: an account in one sealed file.
 * `npm run backup -- <account> --erasures --out <file>`: only who was erased and who opted out, for the restore of an older one.
 * `npm run backup -- --verify <file>`: whether a file is whole, and what it has.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { failureText } from "../failure.ts";
import { passphrase } from "./ask.ts";
import { openBackup, verifyBackup, writeBackup } from "./file.ts";
import type { Totals } from "./records.ts";
import { withService } from "./service.ts";
import { erasuresOf, recordsOf } from "./take.ts";

const USAGE =
  "usage: npm run backup -- <account> --out <file> [--move | --erasures] [--remote https://… [--email you@…]] [--passphrase-file <file>], or --verify <file>";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string" },
    verify: { type: "string" },
    move: { type: "boolean", default: false },
    erasures: { type: "boolean", default: false },
    remote: { type: "string" },
    email: { type: "string" },
    "passphrase-file": { type: "string" },
  },
});
try {
  const [account, ...more] = positionals;
  if (values.verify !== undefined && account === undefined) await verify(values.verify);
  else if (account !== undefined && values.out !== undefined && more.length === 0) await take(account, values.out);
  else throw new Error(USAGE);
} catch (error) {
  console.error(`backup: ${failureText(error)}`);
  process.exit(1);
}

async function take(account: string, out: string): Promise<void> {
  const { move, erasures, remote, email } = values;
  if (move && erasures) throw new Error(USAGE);
  const phrase = await passphrase(values["passphrase-file"], true);
  const say = (line: string) => console.error(`backup: ${line}`);
  const totals = await withService(remote === undefined ? null : { url: remote, email }, (api) =>
    writeBackup(out, phrase, ({ transport }) => {
      const options = { api, account, transport, now: () => new Date(), pause: sleep, say };
      return erasures ? erasuresOf(options) : recordsOf(Object.assign({ move }, options));
    }),
  );
  print(totals);
  if (erasures) console.log(`who was erased from ${account}, and who opted out, is in ${out}`);
  else console.log(move ? `${account} is in ${out}, and disabled where it was` : `${account} is in ${out}`);
}

async function verify(file: string): Promise<void> {
  const { head, totals } = await verifyBackup(
    await openBackup(file, await passphrase(values["passphrase-file"], false)),
  );
  print(totals);
  if (head.type !== "head") return;
  const { account, taken_at, source, id, moved, erasures } = head.value;
  const what = erasures ? ", erasures alone" : moved ? ", moved" : "";
  console.log(`${file} is whole: ${account.name} of ${source}, ${taken_at}${what}, backup ${id}`);
}

function print(totals: Totals): void {
  for (const [kind, { count, sha256 }] of Object.entries(totals))
    console.log(`${String(count).padStart(9)}  ${sha256}  ${kind}`);
}
