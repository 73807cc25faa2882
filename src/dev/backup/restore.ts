/**
 * `npm run restore -- <file> [--as <account>] [--plan starter|growth|scale] [--erasures <file>] [--remote URL]`
 * restores an account from a backup. It may be interrupted and repeated.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { PLAN_NAMES } from "../../phone/call-limits/plans.ts";
import { failureText } from "../failure.ts";
import { passphrase } from "./ask.ts";
import { openBackup, verifyBackup } from "./file.ts";
import { restoreRecords, type Since } from "./give.ts";
import { erasedSince } from "./later.ts";
import { withService } from "./service.ts";

const USAGE =
  "usage: npm run restore -- <file> [--as <account>] [--plan starter|growth|scale] [--erasures <file>] [--remote https://… [--email you@…]] [--passphrase-file <file>]";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    as: { type: "string" },
    plan: { type: "string", default: "starter" },
    erasures: { type: "string" },
    remote: { type: "string" },
    email: { type: "string" },
    "passphrase-file": { type: "string" },
  },
});
try {
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new Error(USAGE);
  if (!PLAN_NAMES.some((name) => name === values.plan))
    throw new Error(`--plan must be ${PLAN_NAMES.join(", ")}, not ${values.plan}`);
  const phrase = await passphrase(values["passphrase-file"], false);
  const backup = await openBackup(file, phrase);
  // Nothing is written before the whole file is known to be intact.
  await verifyBackup(backup);
  const { remote, email, plan, as = null } = values;
  let since: Since | null = null;
  if (values.erasures !== undefined) {
    const later = await openBackup(values.erasures, phrase);
    await verifyBackup(later);
    const say = (line: string) => console.error(`restore: ${line}`);
    since = { erased: await erasedSince(backup, later), later, pause: sleep, say };
  }
  const { account, before } = await withService(remote === undefined ? null : { url: remote, email }, (api) =>
    restoreRecords(backup.records(), { api, as, plan, transport: backup.keys.transport, since }),
  );
  console.log(
    before
      ? `${account} was already restored from ${file}; nothing was changed`
      : `restored ${account}. Its keys and webhooks are disabled and its campaigns paused; add its first user in the console as an operator.`,
  );
} catch (error) {
  console.error(`restore: ${failureText(error)}`);
  process.exit(1);
}
