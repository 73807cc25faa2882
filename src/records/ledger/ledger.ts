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
  placeOf,
  type RecordingRow,
} from "./report.ts";
import { mergeUsage, type UsageQuery, type UsageRow } from "./usage.ts";
import type { UsageParts, UsagePartsQuery } from "./usage-parts.ts";
import { volumeDays, volumeOfId, volumesWithin, withVolumeDays } from "./volumes.ts";

/** What access to a ledger depends on. */
export interface LedgerContext {
  env: Pick<Env, "ACCOUNT_LEDGER">;
  store: Pick<AccountStore, "account" | "read" | "ledgerDays">;
}

/** How many of the newest volumes are searched for a call by its carrier's id: a call may last into the next volume's days. */
const INBOUND_VOLUMES = 2;
const UNKNOWN: TakenEvents = { outcome: "unknown" };

/** Most reports that a volume takes in one transaction. */
const REPORTS_A_BATCH = 500;

/**
 * The ledger of an account, over all its volumes: what happened in its calls and conversations. An id belongs to one
 * volume; what the account cannot have minted is nowhere, and costs no hop.
 */
export class Ledger {
  readonly #context: LedgerContext;
  readonly #clock: () => number;
  /** The read of the list of volumes that is under way; concurrent readers share it. */
  #reading: Promise<string[]> | null = null;

  constructor(context: LedgerContext, clock: () => number = Date.now) {
    this.#context = context;
    this.#clock = clock;
  }

  /**
   * Takes reports in, those of each volume in their order. One of an id that the account cannot have minted is logged
   * and left out, because it would hold up all that its sender reports after it.
   * @throws Error where the account has no volumes
   */
  async report(reports: LedgerReport[]): Promise<void> {
    const days = await this.days();
    if (days.length === 0) throw new Error("the account has no ledger");
    const byVolume = Map.groupBy(reports, (report) => volumeOfId(days, placeOf(report), this.#clock()));
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
        id: placeOf(report),
      });
  }

  /** A call whose line has been reported; null if there is none. */
  async call(id: string): Promise<CallRow | null> {
    const volume = await this.at(id);
    return volume === null ? null : ((await volume.call(id)) as CallRow | null);
  }

  async conversation(id: string): Promise<ConversationRow | null> {
    const volume = await this.at(id);
    return volume === null ? null : ((await volume.conversation(id)) as ConversationRow | null);
  }

  /**
   * Returns a recording of one of these agents (null for any) and writes the act of its disclosure first. Returns null and
   * writes nothing if there is no such recording.
   */
  async discloseRecording(id: string, agentIds: AgentIds, act: Act): Promise<RecordingRow | null> {
    const volume = await this.at(id);
    return volume === null ? null : await volume.discloseRecording(id, agentIds, act);
  }

  async recording(id: string): Promise<RecordingRow | null> {
    const volume = await this.at(id);
    return volume === null ? null : await volume.recording(id);
  }

  /** Tells the volumes that `audit_days` has changed, so that they delete entries that are now too old. */
  async auditDaysChanged(): Promise<void> {
    for (const volume of await this.volumes()) await volume.auditDaysChanged();
  }

  /** Usage in a window, group by group in order. */
  async usage(query: UsageQuery): Promise<UsageRow[]> {
    const volumes = await this.#volumesOfUsage(query);
    return mergeUsage(await Promise.all(volumes.map((volume) => volume.usage(query))));
  }

  /** The same, and what these conversations and calls have in it: both as each volume holds them at one moment. */
  async usageAndParts(query: UsageQuery, of: UsagePartsQuery): Promise<{ rows: UsageRow[]; parts: UsageParts }> {
    const volumes = await this.#volumesOfUsage(query);
    const read = await Promise.all(volumes.map((volume) => volume.usageAndParts(query, of)));
    const parts: UsageParts = Object.assign({}, ...read.map((each) => each.parts));
    return { rows: mergeUsage(read.map(({ rows }) => rows)), parts };
  }

  async #volumesOfUsage({ from, to }: UsageQuery) {
    // Whatever a call led to is stored with the call, even if it happened on the day after.
    const since = new Date(Date.parse(from) - DAY_MS).toISOString();
    return volumesWithin(await this.days(), { since, until: to }).map((day) => this.volume(day));
  }

  /**
   * Writes the audit entry of an act, in the volume of the id `place`. Call it before the act's result is returned.
   * @throws RangeError for an id the account cannot have minted: nothing is done without its entry
   */
  async note(act: Act, place = act.id): Promise<void> {
    const volume = await this.at(place);
    if (volume === null) throw new RangeError(`no volume of the ledger is for ${place}`);
    await volume.report([{ part: "act", place, act }]);
  }

  /**
   * Puts a call on record whose line the ledger itself writes, unless it is, in one transaction with the act that it
   * comes from; gives the call on record.
   * @throws RangeError for an id the account cannot have minted
   */
  async openCall(id: string, line: CallLine, act: Act | null = null): Promise<{ row: CallRow; isNew: boolean }> {
    const volume = await this.at(id);
    if (volume === null) throw new RangeError(`no volume of the ledger is for ${id}`);
    return (await volume.openCall(id, line, act)) as { row: CallRow; isNew: boolean };
  }

  /** Takes carriers' events of single and inbound calls; gives the result of each in the same order. */
  async takeEvents(reported: CallEvents[], clock: LineClock): Promise<TakenEvents[]> {
    const taken = new Map<string, TakenEvents>();
    for (const [volume, theirs] of await this.#byVolume(reported, ({ id }) => id)) {
      const results = (await volume.takeEvents(theirs, clock)) as TakenEvents[];
      for (const [i, { id }] of theirs.entries()) taken.set(id, results[i] ?? UNKNOWN);
    }
    return reported.map(({ id }) => taken.get(id) ?? UNKNOWN);
  }

  /** Changes a single or inbound call; gives it as it then is, and whether the change was made; null if it is not on record. */
  async changeCall(id: string, change: LineChange): Promise<{ row: CallRow; changed: boolean } | null> {
    const volume = await this.at(id);
    return volume && ((await volume.changeCall(id, change)) as { row: CallRow; changed: boolean } | null);
  }

  /** Those of the calls that are on record. */
  async calls(ids: string[]): Promise<CallRow[]> {
    const found: CallRow[] = [];
    for (const [volume, theirs] of await this.#byVolume(ids, (id) => id))
      found.push(...((await volume.calls(theirs)) as CallRow[]));
    return found;
  }

  /** The recent call with this id at the carrier; null if there is none. */
  async inboundCall(provider: string, providerCallId: string): Promise<CallRow | null> {
    for (const day of (await this.days()).slice(-INBOUND_VOLUMES).reverse()) {
      const found = (await this.volume(day).inboundCall(provider, providerCallId)) as CallRow | null;
      if (found) return found;
    }
    return null;
  }

  /** The newest conversation under a session's key that is an id: that of a call, or of a test. */
  async lastOfSession(key: string): Promise<LastOfSession | null> {
    const volume = await this.at(key);
    return volume === null ? null : volume.lastOfSession(key);
  }

  /** The newest conversation under any session's key that began at `since` (ms) or later, or not long before. */
  async lastOfSessionSince(key: string, since: number): Promise<LastOfSession | null> {
    for (const day of (await this.days()).toReversed()) {
      const last = await this.volume(day).lastOfSession(key);
      if (last !== null || Date.parse(day) <= since) return last;
    }
    return null;
  }

  /** Removes conversations permanently: late reports of them change nothing. Their counts stay. */
  async removeConversations(ids: string[]): Promise<void> {
    for (const [volume, theirs] of await this.#byVolume(ids, (id) => id)) await volume.removeConversations(theirs);
  }

  /** Reads of D1, and with them the list of volumes where it is not cached: what follows needs no round trip for it. */
  async read<S extends readonly Read<unknown>[]>(...statements: S): Promise<Results<S>> {
    const [, results] = await withVolumeDays(this.#context.store, this.#clock(), ...statements);
    return results;
  }

  /** The days on which the volumes begin, oldest first. */
  days(): Promise<string[]> {
    this.#reading ??= volumeDays(this.#context.store, this.#clock()).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** The day of an id's volume; null for an id that the account cannot have minted. */
  async dayOf(id: string): Promise<string | null> {
    return volumeOfId(await this.days(), id, this.#clock());
  }

  /** The volume of an id; null for one that the account cannot have minted. */
  async at(id: string) {
    const day = await this.dayOf(id);
    return day === null ? null : this.volume(day);
  }

  /** All volumes, oldest first. */
  async volumes() {
    return (await this.days()).map((day) => this.volume(day));
  }

  /** Splits ids by volume; ids that the account cannot have issued belong to none. */
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
