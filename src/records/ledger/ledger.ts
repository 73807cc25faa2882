import type { AccountStore, Act, Read } from "../../kernel/db/account-store.ts";
import type { Results } from "../../kernel/db/statement.ts";
import { ledgerVolume } from "../../kernel/durable/objects.ts";
import { logError } from "../../kernel/log.ts";
import type { AgentIds } from "../../kernel/scopes.ts";
import { DAY_MS } from "../../kernel/time.ts";
import type { LastOfSession } from "./conversation-queries.ts";
import type { CallEvents, LineChange, LineClock, TakenEvents } from "./line.ts";
import {
  type CallLine,
  type CallRow,
  type ConversationRow,
  type LedgerReport,
  locatorOf,
  type RecordingRow,
} from "./report.ts";
import { mergeUsage, type UsageQuery, type UsageRow } from "./usage.ts";
import type { UsageParts, UsagePartsQuery } from "./usage-parts.ts";
import { volumeDays, volumeOfId, volumesWithin, withVolumeDays } from "./volumes.ts";

export interface LedgerContext {
  env: Pick<Env, "ACCOUNT_LEDGER">;
  store: Pick<AccountStore, "account" | "read" | "ledgerDays">;
}

/**
 * How many of the newest volumes are searched for a carrier's call id, because a call may last into the next volume's
 * days.
 */
const INBOUND_VOLUMES = 2;
const UNKNOWN: TakenEvents = { outcome: "unknown" };

/** The most reports that a volume stores in one transaction. */
const REPORTS_A_BATCH = 500;

/**
 * An account's ledger over all its volumes: the records of its calls and conversations. Each id belongs to one volume.
 * An id that the account cannot have issued belongs to none and is rejected without a round trip.
 */
export class Ledger {
  readonly #context: LedgerContext;
  readonly #clock: () => number;
  /** The pending read of the list of volumes, which concurrent readers share; null if there is none. */
  #reading: Promise<string[]> | null = null;

  constructor(context: LedgerContext, clock: () => number = Date.now) {
    this.#context = context;
    this.#clock = clock;
  }

  /**
   * Stores reports; those of each volume are stored in their order. A report whose id the account cannot have issued is
   * logged and skipped, because it would block all later reports of its sender.
   * @throws Error if the account has no volumes
   */
  async report(reports: LedgerReport[]): Promise<void> {
    const days = await this.days();
    if (days.length === 0) throw new Error("the account has no ledger");
    const byVolume = Map.groupBy(reports, (report) => volumeOfId(days, locatorOf(report), this.#clock()));
    for (const [day, theirs] of byVolume) {
      if (day === null) this.#leaveOut(theirs);
      else
        for (let at = 0; at < theirs.length; at += REPORTS_A_BATCH)
          await this.volume(day).report(theirs.slice(at, at + REPORTS_A_BATCH));
    }
  }

  #leaveOut(reports: LedgerReport[]): void {
    const { account } = this.#context.store;
    for (const report of reports)
      logError("ledger", new RangeError("no volume is for this id"), {
        account,
        part: report.part,
        id: locatorOf(report),
      });
  }

  /** Returns a call whose line has been reported; null if there is none. */
  async call(id: string): Promise<CallRow | null> {
    const volume = await this.at(id);
    return volume === null ? null : ((await volume.call(id)) as CallRow | null);
  }

  async conversation(id: string): Promise<ConversationRow | null> {
    const volume = await this.at(id);
    return volume === null ? null : ((await volume.conversation(id)) as ConversationRow | null);
  }

  /**
   * Returns a recording of one of these agents (null for any). The act of its disclosure is written first. Returns null
   * and writes nothing if there is no such recording.
   */
  async discloseRecording(id: string, agentIds: AgentIds, act: Act): Promise<RecordingRow | null> {
    const volume = await this.at(id);
    return volume === null ? null : await volume.discloseRecording(id, agentIds, act);
  }

  async recording(id: string): Promise<RecordingRow | null> {
    const volume = await this.at(id);
    return volume === null ? null : await volume.recording(id);
  }

  /** Notifies the volumes that `audit_days` has changed, so that they delete entries that are now too old. */
  async auditDaysChanged(): Promise<void> {
    for (const volume of await this.volumes()) await volume.auditDaysChanged();
  }

  /** Returns the usage in a window, ordered by group. */
  async usage(query: UsageQuery): Promise<UsageRow[]> {
    const volumes = await this.#volumesOfUsage(query);
    return mergeUsage(await Promise.all(volumes.map((volume) => volume.usage(query))));
  }

  /** Returns usage together with the shares of these conversations and calls in it, consistent within each volume. */
  async usageAndParts(query: UsageQuery, of: UsagePartsQuery): Promise<{ rows: UsageRow[]; parts: UsageParts }> {
    const volumes = await this.#volumesOfUsage(query);
    const read = await Promise.all(volumes.map((volume) => volume.usageAndParts(query, of)));
    const parts: UsageParts = Object.assign({}, ...read.map((each) => each.parts));
    return { rows: mergeUsage(read.map(({ rows }) => rows)), parts };
  }

  async #volumesOfUsage({ from, to }: UsageQuery) {
    // The consequences of a call are stored with the call, even if they happened on the next day.
    const since = new Date(Date.parse(from) - DAY_MS).toISOString();
    return volumesWithin(await this.days(), { since, until: to }).map((day) => this.volume(day));
  }

  /**
   * Writes an act's audit entry in the volume of the id `locator`. Call it before the act's result is returned.
   * @throws RangeError if the account cannot have issued the id; the act must then not take place
   */
  async note(act: Act, locator = act.id): Promise<void> {
    const volume = await this.at(locator);
    if (volume === null) throw new RangeError(`no volume of the ledger is for ${locator}`);
    await volume.report([{ part: "act", locator, act }]);
  }

  /**
   * Opens a call whose line is written by the ledger itself, in one transaction with its audit entry, unless it is
   * already recorded. Returns the recorded call.
   * @throws RangeError if the account cannot have issued the id
   */
  async openCall(id: string, line: CallLine, act: Act | null = null): Promise<{ row: CallRow; isNew: boolean }> {
    const volume = await this.at(id);
    if (volume === null) throw new RangeError(`no volume of the ledger is for ${id}`);
    return (await volume.openCall(id, line, act)) as { row: CallRow; isNew: boolean };
  }

  /** Applies carriers' events of single and inbound calls and returns the results in the same order. */
  async takeEvents(reported: CallEvents[], clock: LineClock): Promise<TakenEvents[]> {
    const taken = new Map<string, TakenEvents>();
    for (const [volume, theirs] of await this.#byVolume(reported, ({ id }) => id)) {
      const results = (await volume.takeEvents(theirs, clock)) as TakenEvents[];
      for (const [i, { id }] of theirs.entries()) taken.set(id, results[i] ?? UNKNOWN);
    }
    return reported.map(({ id }) => taken.get(id) ?? UNKNOWN);
  }

  /** Changes a single or inbound call. Returns the call and whether it changed; null if it is not recorded. */
  async changeCall(id: string, change: LineChange): Promise<{ row: CallRow; changed: boolean } | null> {
    const volume = await this.at(id);
    return volume && ((await volume.changeCall(id, change)) as { row: CallRow; changed: boolean } | null);
  }

  /** Returns which of the calls are recorded. */
  async calls(ids: string[]): Promise<CallRow[]> {
    const found: CallRow[] = [];
    for (const [volume, theirs] of await this.#byVolume(ids, (id) => id))
      found.push(...((await volume.calls(theirs)) as CallRow[]));
    return found;
  }

  /** Returns the recent inbound call with this id at the carrier; null if there is none. */
  async inboundCall(provider: string, providerCallId: string): Promise<CallRow | null> {
    for (const day of (await this.days()).slice(-INBOUND_VOLUMES).reverse()) {
      const found = (await this.volume(day).inboundCall(provider, providerCallId)) as CallRow | null;
      if (found) return found;
    }
    return null;
  }

  /** Returns the newest conversation with a session key that is the id of a call or a test. */
  async lastOfSession(key: string): Promise<LastOfSession | null> {
    const volume = await this.at(key);
    return volume === null ? null : volume.lastOfSession(key);
  }

  /**
   * Returns the newest conversation with this session key that began at `since` (ms) or later. It may also return one
   * that began shortly before.
   */
  async lastOfSessionSince(key: string, since: number): Promise<LastOfSession | null> {
    for (const day of (await this.days()).toReversed()) {
      const last = await this.volume(day).lastOfSession(key);
      if (last !== null || Date.parse(day) <= since) return last;
    }
    return null;
  }

  /** Removes conversations permanently: late reports about them change nothing. The counters don't change either. */
  async removeConversations(ids: string[]): Promise<void> {
    for (const [volume, theirs] of await this.#byVolume(ids, (id) => id)) await volume.removeConversations(theirs);
  }

  /**
   * Reads from D1. If the list of volumes is not cached, it is read in the same round trip, so that later calls need
   * none for it.
   */
  async read<S extends readonly Read<unknown>[]>(...statements: S): Promise<Results<S>> {
    const [, results] = await withVolumeDays(this.#context.store, this.#clock(), ...statements);
    return results;
  }

  /** Returns the first days of the volumes, oldest first. */
  days(): Promise<string[]> {
    this.#reading ??= volumeDays(this.#context.store, this.#clock()).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** Returns the first day of an id's volume; null if the account cannot have issued the id. */
  async dayOf(id: string): Promise<string | null> {
    return volumeOfId(await this.days(), id, this.#clock());
  }

  /** Returns an id's volume; null if the account cannot have issued the id. */
  async at(id: string) {
    const day = await this.dayOf(id);
    return day === null ? null : this.volume(day);
  }

  /** Returns all volumes, oldest first. */
  async volumes() {
    return (await this.days()).map((day) => this.volume(day));
  }

  /** Splits ids by volume. Ids that the account cannot have issued are left out. */
  async #byVolume<T>(all: T[], idOf: (one: T) => string) {
    const days = await this.days();
    const byDay = Map.groupBy(all, (one) => volumeOfId(days, idOf(one), this.#clock()));
    return [...byDay].flatMap(([day, theirs]) => (day === null ? [] : [[this.volume(day), theirs] as const]));
  }

  volume(day: string) {
    const { env, store } = this.#context;
    return ledgerVolume(env, store.account, day);
  }
}
