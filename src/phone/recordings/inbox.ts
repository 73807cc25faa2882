import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import { accountOf } from "../../kernel/durable/objects.ts";
import { logError } from "../../kernel/log.ts";
import { ObservedObject } from "../../kernel/observing/observed-object.ts";
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

/**
 * The number of recordings per round of each kind, new ones and those that failed before. They are looked up together.
 */
const RECORDINGS_A_ROUND = 30;
/**
 * How long a round waits for its downloads, ms, so that they are recorded together. Slower downloads continue in the
 * background.
 */
const ROUND_MS = 1_000;
/** R2's limit of keys per deletion. */
const KEYS_AT_ONCE = 1_000;

/**
 * One object per account, with the account's name. Recordings that are ready at carriers wait here until they are
 * stored in R2 and recorded in D1. A webhook only adds them; the alarm fetches them and retries failures.
 */
export class RecordingInbox extends ObservedObject<Env> {
  readonly #account = accountOf(this.ctx);
  readonly #downloads = new Downloads();
  protected override readonly frame = new ObjectFrame({
    state: this.ctx,
    migrations: INBOX_MIGRATIONS,
    build: (sql) => {
      const ledger = new InboxLedger(sql);
      return {
        ledger,
        fetching: { dueAt: () => ledger.next(), run: (_: number, until: number) => this.#fetch(until) },
      };
    },
    parts: ({ fetching }) => ({ fetching }),
    report: (error, context) => logError("recordings", error, Object.assign({ account: this.#account }, context)),
  });

  /** Null until the first use. */
  #opened: InboxLedger | null = null;

  get #ledger(): InboxLedger {
    this.#opened ??= this.frame.open().ledger;
    return this.#opened;
  }

  /**
   * Accepts the recordings that a carrier has ready for a call; they are durable when this returns. A recording
   * reported twice counts once. Recordings beyond the maximum per call are refused permanently, and the refusal is
   * logged.
   */
  async take(call: RecordedCall, ready: Recording[]): Promise<void> {
    const now = Date.now();
    const ledger = this.#ledger;
    const refused = ready.filter((recording) => !ledger.add(call, recording, now)).length;
    if (refused > 0) {
      const { provider, call_id } = call;
      this.#report(TOO_MANY_RECORDINGS, { event: "recordings_refused", provider, call_id, refused });
    }
    this.#downloads.wake();
    await this.frame.arm();
  }

  async waiting(callIds: string[]): Promise<WaitingRecording[]> {
    return this.frame.existing?.ledger.waiting(callIds) ?? [];
  }

  /** Returns how many recordings are still to be fetched. */
  async pendingCount(): Promise<number> {
    return this.frame.existing?.ledger.pendingCount ?? 0;
  }

  /**
   * Drops the waiting recordings of these calls with any stored part of their audio, and returns our ids of them. The
   * ledger must already have marked the calls as removed, so that none of the recordings is listed.
   */
  async dropCalls(callIds: string[]): Promise<string[]> {
    if (!this.frame.existing) return [];
    await this.#downloads.abort(callIds);
    const ids = this.#ledger.waiting(callIds).map(({ id }) => id);
    // The entries are dropped last, so that a failed or interrupted step is repeated.
    for (let n = 0; n < ids.length; n += KEYS_AT_ONCE)
      await this.env.RECORDINGS.delete(ids.slice(n, n + KEYS_AT_ONCE).map((id) => audioKey(this.#account, id)));
    this.#ledger.dropCalls(callIds);
    return ids;
  }

  /**
   * Fetches due recordings until `until`, ms. Downloads continue after that, and the next alarm handles those that have
   * ended.
   */
  async #fetch(until: number): Promise<void> {
    do {
      if (!(await this.#round())) await this.#downloads.change(Math.max(0, this.#idleUntil(until) - Date.now()));
    } while (Date.now() < until && (this.#downloads.count > 0 || this.#isDue()));
    await this.#settleEnded([]);
  }

  /**
   * Looks up the due recordings and downloads as many as there are slots for. Returns whether that changed anything.
   */
  async #round(): Promise<boolean> {
    const now = Date.now();
    const ledger = this.#ledger;
    ledger.prune(now);
    const due = this.#due(now);
    if (due.length === 0) return this.#settleEnded([]);
    const { wanted, download, findings } = await prepare(this.env, this.#account, due);
    const mine: Entry[] = [];
    const waiting = new Set(wanted);
    const until = now + ROUND_MS;
    while (Date.now() < until) {
      for (const entry of waiting) {
        // An entry of an erased call may be dropped while others are looked up.
        const isThere = ledger.waiting([entry.call_id]).some(({ id }) => id === entry.id);
        if (!isThere) waiting.delete(entry);
        else if (this.#downloads.start(entry, download)) {
          waiting.delete(entry);
          mine.push(entry);
        }
      }
      if (!this.#downloads.anyUnderWay(mine)) break;
      await this.#downloads.change(until - Date.now());
    }
    return (await this.#settleEnded(findings)) || mine.length > 0;
  }

  /** Settles the findings and the downloads that have ended; returns whether there was anything to settle. */
  async #settleEnded(findings: Finding[]): Promise<boolean> {
    const ended = this.#downloads.takeEnded();
    if (findings.length + ended.length === 0) return false;
    await this.#settle([...findings, ...(await settleDownloads(this.env, this.#account, ended))]);
    return true;
  }

  /** Returns the due recordings that are not being downloaded. */
  #due(now: number): Entry[] {
    const each = RECORDINGS_A_ROUND + this.#downloads.count;
    return this.#downloads.without(this.#ledger.due(now, each));
  }

  #isDue(): boolean {
    return this.#due(Date.now()).length > 0;
  }

  /** Returns until when (ms) the round only has to wait for downloads. */
  #idleUntil(until: number): number {
    const now = Date.now();
    return Math.min(until, this.#isDue() ? now + ROUND_MS : (this.#ledger.nextAfter(now) ?? until));
  }

  /** Applies the round's decisions to the entries. Audio that could not be deleted is tried again. */
  async #settle(findings: Finding[]): Promise<void> {
    const now = Date.now();
    const decisions = findings.map(({ entry, outcome, trouble }) => {
      return { entry, trouble, decided: retryDecision(entry, outcome, now) };
    });
    const erased = await this.#erase(decisions.flatMap(({ entry, decided }) => (decided.erase ? [entry] : [])));
    const ledger = this.#ledger;
    for (const { entry, trouble, decided } of decisions) {
      const decision = decided.erase && !erased ? retryDecision(entry, "unlisted", now) : decided;
      if (decision.next === "again") ledger.again(entry, decision.due_at);
      else if (decision.next === "done") ledger.done(entry, now);
      else this.#giveUp(entry, trouble);
    }
    const own = findings.find(({ outcome }) => outcome === "unlisted");
    if (own) this.#report(own.trouble);
  }

  /** Deletes audio that nothing refers to; false if R2 failed. */
  async #erase(entries: Entry[]): Promise<boolean> {
    if (entries.length === 0) return true;
    try {
      await this.env.RECORDINGS.delete(entries.map(({ id }) => audioKey(this.#account, id)));
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
}
