import type { AccountStore } from "../../kernel/db/account-store.ts";
import { ledgerVolume } from "../../kernel/durable/objects.ts";
import { DAY_MS } from "../../kernel/time.ts";
import { type CallRow, type ConversationRow, type LedgerReport, placeOf, type RecordingRow } from "./report.ts";
import { mergeUsage, type UsageQuery, type UsageRow } from "./usage.ts";
import { volumeDays, volumeOfId, volumesWithin } from "./volumes.ts";

/** What a ledger is reached through. */
export interface LedgerContext {
  env: Pick<Env, "ACCOUNT_LEDGER">;
  store: Pick<AccountStore, "account" | "read" | "ledgerDays">;
}

/** Most reports that a volume takes in one transaction. */
const REPORTS_A_BATCH = 500;

/**
 * The ledger of an account, over all its volumes: what happened in its calls and conversations. An id belongs to one
 * volume; what the account cannot have minted is nowhere, and costs no hop.
 */
export class Ledger {
  readonly #context: LedgerContext;
  readonly #clock: () => number;

  constructor(context: LedgerContext, clock: () => number = Date.now) {
    this.#context = context;
    this.#clock = clock;
  }

  /** Takes reports in, those of each volume in their order. @throws RangeError for an id the account cannot have minted */
  async report(reports: LedgerReport[]): Promise<void> {
    const days = await this.days();
    const byVolume = Map.groupBy(reports, (report) => {
      const day = volumeOfId(days, placeOf(report), this.#clock());
      if (day === null) throw new RangeError(`no volume of the ledger is for ${placeOf(report)}`);
      return day;
    });
    for (const [day, theirs] of byVolume)
      for (let at = 0; at < theirs.length; at += REPORTS_A_BATCH)
        await this.volume(day).report(theirs.slice(at, at + REPORTS_A_BATCH));
  }

  /** A call that its line was reported of; null where there is none. */
  async call(id: string): Promise<CallRow | null> {
    const volume = await this.at(id);
    return volume === null ? null : ((await volume.call(id)) as CallRow | null);
  }

  async conversation(id: string): Promise<ConversationRow | null> {
    const volume = await this.at(id);
    return volume === null ? null : ((await volume.conversation(id)) as ConversationRow | null);
  }

  async recording(id: string): Promise<RecordingRow | null> {
    const volume = await this.at(id);
    return volume === null ? null : await volume.recording(id);
  }

  /** Has calls from before `at`, ms, deleted. What they counted for stays. */
  async deleteCallsBefore(at: number): Promise<void> {
    for (const day of await this.days()) if (Date.parse(day) < at) await this.volume(day).deleteCallsBefore(at);
  }

  /** What was used in a window, group by group in order. */
  async usage(query: UsageQuery): Promise<UsageRow[]> {
    // What a call led to is where the call is, and may be of the day after it.
    const since = new Date(Date.parse(query.from) - DAY_MS).toISOString();
    const days = volumesWithin(await this.days(), { since, until: query.to });
    return mergeUsage(await Promise.all(days.map((day) => this.volume(day).usage(query))));
  }

  /** The days on which the volumes begin, oldest first. */
  days(): Promise<string[]> {
    return volumeDays(this.#context.store, this.#clock());
  }

  /** The volume of an id; null for one that the account cannot have minted. */
  async at(id: string) {
    const day = volumeOfId(await this.days(), id, this.#clock());
    return day === null ? null : this.volume(day);
  }

  /** All volumes, oldest first. */
  async volumes() {
    return (await this.days()).map((day) => this.volume(day));
  }

  volume(day: string) {
    const { env, store } = this.#context;
    return ledgerVolume(env, store.account, day);
  }
}
