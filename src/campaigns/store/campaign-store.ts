import type { Author } from "../../db/account-store.ts";
import { hasTable, migrate } from "../../durable/migrate.ts";
import { afterOperation, type ContactStatus, isOver, type Operation } from "../decide/state.ts";
import type { CampaignSettings } from "../settings.ts";
import { AttemptStore } from "./attempts.ts";
import { AuditOutbox } from "./audit-outbox.ts";
import { CallBook } from "./call-transitions.ts";
import { CampaignRowStore } from "./campaign-row.ts";
import { type ContactRow, ContactStore } from "./contacts.ts";
import { ImportBook } from "./import-transitions.ts";
import { Log, type NewEntry } from "./log.ts";
import { CAMPAIGN_MIGRATIONS } from "./migrations.ts";

/** Adds entries to the history of the transaction that is under way. */
export type Write = (...entries: NewEntry[]) => void;

/**
 * The campaign's book: its record, contacts, attempts and history in the object's own storage. Every method is one
 * synchronous transaction that changes state, counters and history together, and tells `publish` how far the history
 * goes then.
 */
export class CampaignBook {
  readonly campaign: CampaignRowStore;
  readonly contacts: ContactStore;
  readonly attempts: AttemptStore;
  readonly log: Log;
  readonly audits: AuditOutbox;
  /** What is told of the import, and of the calls. */
  readonly imports = new ImportBook(this);
  readonly calls = new CallBook(this);
  readonly #storage: DurableObjectStorage;
  readonly #publish: (seq: number) => void;

  constructor(storage: DurableObjectStorage, publish: (seq: number) => void) {
    this.#storage = storage;
    this.#publish = publish;
    // An object that holds no campaign is not written to.
    if (hasTable(storage, "campaign")) this.createTables();
    this.campaign = new CampaignRowStore(storage.sql);
    this.contacts = new ContactStore(storage.sql);
    this.attempts = new AttemptStore(storage.sql);
    this.log = new Log(storage.sql, this.campaign);
    this.audits = new AuditOutbox(storage.sql);
  }

  createTables(): void {
    migrate(this.#storage, CAMPAIGN_MIGRATIONS, Date.now());
  }

  /** Starts, pauses, resumes or stops; false where the state does not allow it. */
  operate(operation: Operation, author: Author, now: number, origin?: string): boolean {
    const { status, started_at } = this.campaign.known;
    const next = afterOperation(status, operation);
    if (next === null) return false;
    this.transaction((write) => {
      if (status === "draft") this.contacts.indexStatuses();
      this.campaign.update({
        status: next,
        status_reason: null,
        failures: 0,
        not_before: null,
        updated_at: now,
        ...(next === "running" && { started_at: started_at ?? now }),
        ...(next === "stopped" && { ended_at: now }),
        ...(origin !== undefined && { origin }),
      });
      this.audits.add(operation, author, now);
      write(this.campaignEntry(null, author.actor));
    }, now);
    return true;
  }

  changeSettings(settings: CampaignSettings, changed: string[], author: Author, now: number): void {
    this.transaction((write) => {
      this.audits.add("update", author, now);
      this.campaign.update({ settings: JSON.stringify(settings), updated_at: now });
      write({ ...this.campaignEntry("settings_changed", author.actor), detail: changed.join(",") });
    }, now);
  }

  /** Cancels up to `limit` of those who wait, after a stop; gives how many. */
  cancelSome(limit: number, now: number): number {
    const waiting = this.contacts.waiting(limit);
    if (waiting.length === 0) return 0;
    this.transaction((write) => {
      this.contacts.cancel(
        waiting.map(({ id }) => id),
        now,
      );
      const { pending, cancelled } = this.campaign.known;
      this.campaign.update({ pending: pending - waiting.length, cancelled: cancelled + waiting.length });
      write(...waiting.map((contact) => contactEntry(contact, "cancelled", null, null, "stopped")));
    }, now);
    return waiting.length;
  }

  /** Completes a campaign all of whose contacts have come to their end. */
  completeIfDone(now: number): void {
    const { status, importing, pending, originated, connected } = this.campaign.known;
    if (importing || status === "draft" || isOver(status) || pending + originated + connected > 0) return;
    this.transaction((write) => {
      this.campaign.update({ status: "completed", status_reason: null, ended_at: now, updated_at: now });
      write(this.campaignEntry(null, null));
    }, now);
  }

  /** The history's entry of where the campaign stands. */
  campaignEntry(reason: string | null, actor: string | null): NewEntry {
    return {
      event: "campaign",
      status: this.campaign.known.status,
      reason,
      actor,
      counts: JSON.stringify(this.campaign.counts),
    };
  }

  /** Runs work and writes its history in one transaction. */
  transaction<T>(work: (write: Write) => T, now: number): T {
    const entries: NewEntry[] = [];
    let result: T;
    try {
      result = this.#storage.transactionSync(() => {
        const done = work((...more) => entries.push(...more));
        if (entries.length > 0) this.log.append(entries, now);
        this.campaign.flush();
        return done;
      });
    } catch (error) {
      this.campaign.reload();
      throw error;
    }
    if (entries.length > 0) this.#publish(this.campaign.known.seq);
    return result;
  }
}

/** The history's entry of a contact that comes to a new status. */
export function contactEntry(
  contact: Pick<ContactRow, "id" | "phone" | "status">,
  status: ContactStatus,
  attempt: number | null,
  callId: string | null,
  reason: string | null,
): NewEntry {
  return {
    event: status,
    status,
    previous_status: contact.status,
    contact: contact.id,
    phone: contact.phone,
    attempt,
    call_id: callId,
    reason,
  };
}
