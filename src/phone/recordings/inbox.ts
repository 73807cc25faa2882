import { armNoLaterThan, nextAlarm } from "../../kernel/durable/alarm.ts";
import { hasTable, migrate } from "../../kernel/durable/migrate.ts";
import { accountOf } from "../../kernel/durable/objects.ts";
import { logError } from "../../kernel/log.ts";
import { ObservedObject } from "../../kernel/observing/observed-object.ts";
import type { Recording } from "../carriers/carrier.ts";
import { audioKey } from "./audio-store.ts";
import {
  type Entry,
  INBOX_MIGRATIONS,
  InboxLedger,
  type RecordedCall,
  TOO_MANY_RECORDINGS,
  type WaitingRecording,
} from "./inbox-ledger.ts";
import { type Finding, ingest } from "./ingest.ts";
import { retryDecision } from "./retry-policy.ts";

/** Recordings per round, for which D1 is read once and written once. */
const RECORDINGS_A_ROUND = 60;

/**
 * One object per account, named by it: recordings that carriers have ready wait here until they are in R2 and on
 * record in D1. A webhook only hands them over; the alarm fetches them, and tries again where it cannot.
 */
export class RecordingInbox extends ObservedObject<Env> {
  readonly #account = accountOf(this.ctx);
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
   * Drops the waiting recordings of these calls, and gives our ids of them. The ledger must already have them as
   * removed, so that none is listed.
   */
  async dropCalls(callIds: string[]): Promise<string[]> {
    return hasTable(this.ctx.storage, "entries") ? this.#ledger.dropCalls(callIds) : [];
  }

  override async alarm(): Promise<void> {
    if (!hasTable(this.ctx.storage, "entries")) return;
    try {
      const now = Date.now();
      this.#ledger.forget(now);
      const due = this.#ledger.due(now, RECORDINGS_A_ROUND);
      if (due.length > 0) await this.#settle(await ingest(this.env, this.#account, due));
    } finally {
      await this.#arm();
    }
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
