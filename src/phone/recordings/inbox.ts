import { armNoLaterThan, nextAlarm } from "../../kernel/durable/alarm.ts";
import { hasTable, migrate } from "../../kernel/durable/migrate.ts";
import { accountOf } from "../../kernel/durable/objects.ts";
import { logError } from "../../kernel/log.ts";
import { ObservedObject } from "../../kernel/observing/observed-object.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import type { Recording } from "../carriers/carrier.ts";
import { audioKey } from "./audio-store.ts";
import { Downloads } from "./downloads.ts";
import {
  type Entry,
  INBOX_MIGRATIONS,
  InboxLedger,
  type RecordedCall,
  TOO_MANY_RECORDINGS,
  type WaitingRecording,
} from "./inbox-ledger.ts";
import { type Finding, prepare, settleDownloads } from "./ingest.ts";
import { retryDecision } from "./retry-policy.ts";

/** Recordings per round of either kind, new ones and those that failed before: what is looked up at once. */
const RECORDINGS_A_ROUND = 30;
/** A round waits this long for its downloads, ms, so that they are put on record together; slower ones go on beside. */
const ROUND_MS = 1_000;
/** Longest work of one alarm, ms. Downloads go on meanwhile, and the next alarm takes up what has ended. */
const LONGEST_MS = MINUTE_MS;
/** R2's limit of keys per deletion. */
const KEYS_AT_ONCE = 1_000;

/**
 * One object per account, named by it: recordings that carriers have ready wait here until they are in R2 and on
 * record in D1. A webhook only hands them over; the alarm fetches them, and tries again where it cannot.
 */
export class RecordingInbox extends ObservedObject<Env> {
  readonly #account = accountOf(this.ctx);
  readonly #downloads = new Downloads();
  /** Opened at the first recording, so that an inbox that is only read stores nothing. */
  #opened: InboxLedger | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (!hasTable(ctx.storage, "entries")) return;
    // An alarm can get lost with its process, so an object with pending work rearms it.
    ctx.blockConcurrencyWhile(() => this.#arm());
  }

  get #ledger(): InboxLedger {
    if (this.#opened) return this.#opened;
    migrate(this.ctx.storage, INBOX_MIGRATIONS, Date.now());
    this.#opened = new InboxLedger(this.ctx.storage.sql);
    return this.#opened;
  }

  /**
   * Takes in the recordings that a carrier has ready for a call; they are durable when this returns. A recording
   * reported twice counts once; those beyond the limit for a call are refused permanently, which is logged.
   */
  async take(call: RecordedCall, ready: Recording[]): Promise<void> {
    const now = Date.now();
    const refused = ready.filter((recording) => !this.#ledger.add(call, recording, now)).length;
    if (refused > 0) {
      const { provider, call_id } = call;
      this.#report(TOO_MANY_RECORDINGS, { event: "recordings_refused", provider, call_id, refused });
    }
    this.#downloads.wake();
    await this.#arm();
  }

  /** What waits of these calls. */
  async waiting(callIds: string[]): Promise<WaitingRecording[]> {
    return hasTable(this.ctx.storage, "entries") ? this.#ledger.waiting(callIds) : [];
  }

  /** How many recordings are still to be fetched. */
  async pendingCount(): Promise<number> {
    return hasTable(this.ctx.storage, "entries") ? this.#ledger.pendingCount : 0;
  }

  /**
   * Drops the waiting recordings of these calls with whatever is stored of their audio, and gives our ids of them. The
   * ledger must already have them as removed, so that none is listed.
   */
  async dropCalls(callIds: string[]): Promise<string[]> {
    if (!hasTable(this.ctx.storage, "entries")) return [];
    await this.#downloads.abort(callIds);
    const ids = this.#ledger.waiting(callIds).map(({ id }) => id);
    // Their entries last, so that what fails or is killed before is done again.
    for (let n = 0; n < ids.length; n += KEYS_AT_ONCE)
      await this.env.RECORDINGS.delete(ids.slice(n, n + KEYS_AT_ONCE).map((id) => audioKey(this.#account, id)));
    this.#ledger.dropCalls(callIds);
    return ids;
  }

  override async alarm(): Promise<void> {
    if (!hasTable(this.ctx.storage, "entries")) return;
    const until = Date.now() + LONGEST_MS;
    try {
      do {
        if (!(await this.#round())) await this.#downloads.change(Math.max(0, this.#idleUntil(until) - Date.now()));
      } while (Date.now() < until && (this.#downloads.count > 0 || this.#isDue()));
      await this.#settleEnded([]);
    } finally {
      await this.#arm();
    }
  }

  /** Looks up what is due, and downloads as much of it as there are slots for; gives whether that changed anything. */
  async #round(): Promise<boolean> {
    const now = Date.now();
    this.#ledger.forget(now);
    const due = this.#due(now);
    if (due.length === 0) return this.#settleEnded([]);
    const { wanted, download, findings } = await prepare(this.env, this.#account, due);
    const mine: Entry[] = [];
    const waiting = new Set(wanted);
    const until = now + ROUND_MS;
    while (Date.now() < until) {
      for (const entry of waiting) {
        // One of an erased call is dropped while others are looked up.
        const isThere = this.#ledger.waiting([entry.call_id]).some(({ id }) => id === entry.id);
        if (!isThere) waiting.delete(entry);
        else if (this.#downloads.start(entry, download)) {
          waiting.delete(entry);
          mine.push(entry);
        }
      }
      if (!mine.some((entry) => this.#downloads.isUnderWay(entry))) break;
      await this.#downloads.change(until - Date.now());
    }
    return (await this.#settleEnded(findings)) || mine.length > 0;
  }

  /** Settles what is known, and the downloads that have ended; gives whether there was anything. */
  async #settleEnded(findings: Finding[]): Promise<boolean> {
    const ended = this.#downloads.takeEnded();
    if (findings.length + ended.length === 0) return false;
    await this.#settle([...findings, ...(await settleDownloads(this.env, this.#account, ended))]);
    return true;
  }

  /** What is due and not being downloaded. */
  #due(now: number): Entry[] {
    const each = RECORDINGS_A_ROUND + this.#downloads.count;
    return this.#ledger.due(now, each).filter((entry) => !this.#downloads.has(entry));
  }

  #isDue(): boolean {
    return this.#due(Date.now()).length > 0;
  }

  /** Until when (ms) there is nothing to do but to wait for downloads. */
  #idleUntil(until: number): number {
    const now = Date.now();
    return Math.min(until, this.#isDue() ? now + ROUND_MS : (this.#ledger.nextAfter(now) ?? until));
  }

  /** Applies the round's decisions to the entries; audio that could not be erased is tried again. */
  async #settle(findings: Finding[]): Promise<void> {
    const now = Date.now();
    const erased = await this.#erase(findings.filter(({ entry, outcome }) => retryDecision(entry, outcome, now).erase));
    for (const { entry, outcome, trouble } of findings) {
      const decided = retryDecision(entry, outcome, now);
      const decision = decided.erase && !erased ? retryDecision(entry, "unlisted", now) : decided;
      if (decision.next === "again") this.#ledger.again(entry, decision.due_at);
      else if (decision.next === "done") this.#ledger.done(entry, now);
      else this.#giveUp(entry, trouble);
    }
    const own = findings.find(({ outcome }) => outcome === "unlisted");
    if (own) this.#report(own.trouble);
  }

  /** Deletes audio that nothing refers to; false if R2 failed. */
  async #erase(findings: Finding[]): Promise<boolean> {
    if (findings.length === 0) return true;
    try {
      await this.env.RECORDINGS.delete(findings.map(({ entry }) => audioKey(this.#account, entry.id)));
      return true;
    } catch {
      return false;
    }
  }

  #giveUp(entry: Entry, trouble: string | undefined): void {
    this.#ledger.drop(entry);
    const { provider, call_id, tries } = entry;
    this.#report(trouble, { event: "recording_given_up", provider, call_id, tries: tries + 1 });
  }

  #report(trouble = "unknown", context: Record<string, string | number> = {}): void {
    logError("recordings", trouble, { account: this.#account, ...context });
  }

  async #arm(): Promise<void> {
    const now = Date.now();
    const at = nextAlarm([this.#ledger.next()], now + 1);
    await armNoLaterThan(this.ctx.storage, at);
  }
}
