import pMap from "p-map";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { type AccountRetention, RetentionQueue } from "../../kernel/db/retention-queue.ts";
import { callSettings, privacySettings, RECORDINGS_STAY_DAYS } from "../../kernel/db/schema/index.ts";
import { ledgerVolume } from "../../kernel/durable/objects.ts";
import { logError } from "../../kernel/log.ts";
import { DAY_MS, HOUR_MS } from "../../kernel/time.ts";
import type { KeptFrom } from "./record-retention.ts";

/** The most accounts processed in one run of the cron, and how many are claimed at a time. */
const ACCOUNTS_A_RUN = 500;
const ACCOUNTS_AT_ONCE = 50;
/** The number of ledgers notified at a time. */
const CONCURRENT = 6;
/** Retry delay for an account whose ledger could not be notified, ms. */
const AGAIN_MS = HOUR_MS;

/** Other daily work on accounts. Returns the accounts for which it failed. */
type Alongside = (accounts: string[]) => Promise<ReadonlySet<string>>;

/**
 * Tells the ledgers of due accounts from which time they keep records. An account is due once a day. One run handles at
 * most 500 accounts and ends at `deadline` (ms). The ledgers then delete older records themselves. If an account fails,
 * here or in the other work, it is retried later, after the others.
 */
export async function tellDueLedgers(
  env: Pick<Env, "DB" | "ACCOUNT_LEDGER">,
  now: number,
  deadline: number,
  alongside: Alongside = async () => new Set(),
): Promise<void> {
  const queue = new RetentionQueue(env.DB);
  const again = now + AGAIN_MS;
  const next = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  for (let taken = 0; taken < ACCOUNTS_A_RUN && Date.now() < deadline; taken += ACCOUNTS_AT_ONCE) {
    const due = await queue.take(now, again, ACCOUNTS_AT_ONCE);
    const told = await pMap(due, async (account) => ((await tell(env, account, now)) ? [account.name] : []), {
      concurrency: CONCURRENT,
    });
    const failed = await alongside(due.map(({ name }) => name));
    const done = told.flat().filter((name) => !failed.has(name));
    await queue.told(done, { again, next });
    if (due.length < ACCOUNTS_AT_ONCE) return;
  }
}

/** Notifies the account's ledger of a changed retention immediately. If that fails, the cron does it later. */
export async function tellLedger(
  { env, store }: { env: Pick<Env, "ACCOUNT_LEDGER">; store: AccountStore },
  now: number,
): Promise<void> {
  const name = store.account;
  try {
    const [settings, privacy, recordings = null, volumes] = await store.read(
      store.first(callSettings, { columns: ["retention_days"] }),
      store.first(privacySettings, { columns: ["calls_days"] }),
      store.recordingDays(),
      store.ledgerDays(),
    );
    const conversations = settings?.retention_days ?? null;
    const days = { conversations, recordings, calls: privacy?.calls_days ?? null };
    await tell(env, { name, volumes, days }, now);
  } catch (error) {
    logError("retention", error, { account: name });
  }
}

/**
 * Notifies every volume, because a volume may still be deleting according to an earlier setting. Returns whether all
 * were notified.
 */
async function tell(
  env: Pick<Env, "ACCOUNT_LEDGER">,
  { name, volumes, days }: AccountRetention,
  now: number,
): Promise<boolean> {
  const from = (kept: number | null) => (kept === null ? null : now - kept * DAY_MS);
  const kept: KeptFrom = {
    conversations: from(days.conversations),
    recordings: from((days.recordings ?? RECORDINGS_STAY_DAYS) >= RECORDINGS_STAY_DAYS ? null : days.recordings),
    calls: from(days.calls),
  };
  try {
    for (const day of volumes) await ledgerVolume(env, name, day).keepFrom(kept);
    return true;
  } catch (error) {
    logError("retention", error, { account: name });
    return false;
  }
}
