import { advances, type CallStatus } from "../calls/status.ts";
import type { CallEvent } from "../carriers/carrier.ts";
import type { Author } from "../db/account-store.ts";
import type { CsvBatch } from "./contacts-csv.ts";
import type { CampaignSettings } from "./settings.ts";
import {
  afterEnd,
  afterNews,
  afterOperation,
  type ContactChange,
  type ContactStatus,
  isOver,
  type Operation,
  type Outcome,
} from "./state.ts";
import { type AttemptRow, AttemptStore } from "./storage/attempts.ts";
import { AuditOutbox } from "./storage/audit-outbox.ts";
import { type CampaignRow, CampaignRowStore } from "./storage/campaign-row.ts";
import { type ContactRow, ContactStore } from "./storage/contacts.ts";
import { Log, type LogRow, type NewEntry } from "./storage/log.ts";
import schema from "./storage/schema.sql";

/** How long a call may ring and last, ms. */
export interface CallLimits {
  ring: number;
  duration: number;
}

/** A campaign to be: what is known before its upload is read. */
export type NewCampaign = Pick<CampaignRow, "id" | "account" | "settings" | "created_by" | "created_at" | "origin">;

/**
 * The campaign's book: its record, contacts, attempts and history in the object's own storage. Every method is one
 * synchronous transaction that changes state, counters and history together, and tells `publish` what it wrote.
 */
export class CampaignBook {
  readonly campaign: CampaignRowStore;
  readonly contacts: ContactStore;
  readonly attempts: AttemptStore;
  readonly log: Log;
  readonly audits: AuditOutbox;
  readonly #storage: DurableObjectStorage;
  readonly #publish: (entries: LogRow[]) => void;

  constructor(storage: DurableObjectStorage, publish: (entries: LogRow[]) => void) {
    this.#storage = storage;
    this.#publish = publish;
    this.campaign = new CampaignRowStore(storage.sql);
    this.contacts = new ContactStore(storage.sql);
    this.attempts = new AttemptStore(storage.sql);
    this.log = new Log(storage.sql, this.campaign);
    this.audits = new AuditOutbox(storage.sql);
  }

  create(campaign: NewCampaign, author: Author): void {
    this.#transaction((write) => {
      this.#storage.sql.exec(schema);
      this.campaign.create(campaign);
      this.audits.add("create", author, campaign.created_at);
      write(this.#campaignEntry("importing", campaign.created_by));
    }, campaign.created_at);
  }

  /** Stores a batch of the upload. */
  import(batch: CsvBatch, now: number): void {
    this.#transaction(() => {
      this.contacts.import(batch, now);
      const { accepted, pending, rejected } = this.campaign.known;
      this.campaign.update({
        accepted: accepted + batch.contacts.length,
        pending: pending + batch.contacts.length,
        rejected: rejected + batch.rejects.length,
        updated_at: now,
      });
    }, now);
  }

  /** Lets those who watch see the import move. */
  importProgress(now: number): void {
    this.#transaction((write) => write(this.#campaignEntry("importing", null)), now);
  }

  /** Takes rejects back that lacked a country, to be looked at again. */
  takeNational(limit: number): { line: number; row: string[] }[] {
    return this.#storage.transactionSync(() => {
      const rows = this.contacts.takeNational(limit);
      if (rows.length > 0) this.campaign.update({ rejected: this.campaign.known.rejected - rows.length });
      return rows;
    });
  }

  finishImport(settings: CampaignSettings, columns: string[], now: number): void {
    this.#transaction((write) => {
      const repeated = this.contacts.settle();
      const { accepted, pending } = this.campaign.known;
      this.campaign.update({
        ...{ accepted: accepted - repeated, pending: pending - repeated, duplicates: repeated },
        ...{ settings: JSON.stringify(settings), columns: JSON.stringify(columns) },
        ...{ importing: 0, status_reason: null, updated_at: now },
      });
      write(this.#campaignEntry("created", this.campaign.known.created_by));
    }, now);
  }

  /** Starts, pauses, resumes or stops; false where the state does not allow it. */
  operate(operation: Operation, author: Author, now: number, origin?: string): boolean {
    const { status, started_at } = this.campaign.known;
    const next = afterOperation(status, operation);
    if (next === null) return false;
    this.#transaction((write) => {
      if (status === "draft") this.contacts.indexStatuses();
      this.campaign.update({
        ...{ status: next, status_reason: null, failures: 0, not_before: null, updated_at: now },
        ...(next === "running" && { started_at: started_at ?? now }),
        ...(next === "stopped" && { ended_at: now }),
        ...(origin !== undefined && { origin }),
      });
      this.audits.add(operation, author, now);
      write(this.#campaignEntry(null, author.actor));
    }, now);
    return true;
  }

  changeSettings(settings: CampaignSettings, changed: string[], author: Author, now: number): void {
    this.#transaction((write) => {
      this.audits.add("update", author, now);
      this.campaign.update({ settings: JSON.stringify(settings), updated_at: now });
      write({ ...this.#campaignEntry("settings_changed", author.actor), detail: changed.join(",") });
    }, now);
  }

  /** Writes down calls that are about to be made: from here on they may exist at the carrier. */
  begin(calls: { contact: ContactRow; callId: string }[], provider: string, limits: CallLimits, now: number): void {
    this.#transaction(() => {
      for (const { contact, callId } of calls) {
        const number = contact.attempts + 1;
        const deadline = now + limits.ring;
        this.attempts.begin({ call_id: callId, contact: contact.id, number, provider, dialled_at: now, deadline });
        this.contacts.update(contact.id, {
          ...{ attempts: number, last_attempt_at: now, next_attempt_at: null, call_id: callId, updated_at: now },
        });
      }
    }, now);
  }

  /** The carrier has taken the call. */
  placed(callId: string, providerCallId: string | null, now: number): void {
    this.#transaction((write) => {
      const attempt = this.attempts.get(callId);
      if (!attempt) return;
      this.campaign.update({ failures: 0, not_before: null });
      this.attempts.update(callId, {
        provider_call_id: providerCallId,
        ...(attempt.state === "dialing" && { state: "placed", status: "initiated" }),
      });
      if (attempt.state !== "ended") this.#take(attempt, { status: "initiated", answered_by: null }, null, write, now);
    }, now);
  }

  /** News of a call, whoever brings it; what is late or known already changes nothing. */
  news(callId: string, event: CallEvent, limits: CallLimits, now: number): void {
    const attempt = this.attempts.get(callId);
    if (!attempt || attempt.state === "ended" || !advances(attempt.status, event.status)) return;
    this.#transaction((write) => {
      this.attempts.update(callId, {
        ...{ state: "placed", status: event.status },
        ...(event.provider_call_id !== null && { provider_call_id: event.provider_call_id }),
        ...(event.status === "in-progress" && { connected_at: now, deadline: now + limits.duration, lease: "renew" }),
      });
      this.#take(attempt, event, limits, write, now);
    }, now);
  }

  /** The call ended without the carrier's word for it: refused, or nobody can tell. The contact is not dialled again. */
  end(callId: string, outcome: Outcome, status: CallStatus, reason: string, now: number): void {
    const attempt = this.attempts.get(callId);
    if (!attempt || attempt.state === "ended") return;
    this.#transaction((write) => {
      const contact = this.contacts.get(attempt.contact);
      if (!contact) return;
      this.attempts.update(callId, { status });
      const change = afterEnd(contact, outcome, this.campaign.settings.retry_config, this.campaign.known.status, now);
      this.#apply(attempt, contact, change, reason, write, now);
    }, now);
  }

  /**
   * The carrier did not take the call for a reason that is not the contact's: the call does not count, and the contact
   * is dialled again once the carrier has been left alone for `backoff` ms.
   */
  postpone(callId: string, reason: string, backoff: number, now: number): void {
    const attempt = this.attempts.get(callId);
    if (!attempt || attempt.state === "ended") return;
    this.#transaction((write) => {
      const contact = this.contacts.get(attempt.contact);
      if (!contact) return;
      const over = isOver(this.campaign.known.status);
      this.attempts.update(callId, { status: "failed" });
      this.contacts.update(contact.id, { attempts: contact.attempts - 1 });
      const change: ContactChange = {
        ...{ status: over ? "cancelled" : "pending", outcome: null, nextAttemptAt: over ? null : now + backoff },
        ...{ ended: true, hangup: false },
      };
      this.#apply(attempt, contact, change, reason, write, now);
    }, now);
  }

  /** Counts a failure of the carrier; after `limit` in a row the campaign pauses itself. */
  carrierFailed(reason: string, backoff: (failures: number) => number, limit: number, now: number): void {
    const failures = this.campaign.known.failures + 1;
    this.#transaction((write) => {
      this.campaign.update({ failures, not_before: now + backoff(failures) });
      if (failures < limit || this.campaign.known.status !== "running") return;
      this.campaign.update({ status: "paused", status_reason: reason, updated_at: now });
      write(this.#campaignEntry(reason, null));
    }, now);
  }

  /** A number that must not be called: its contact ends without a call. */
  exclude(contacts: ContactRow[], now: number): void {
    this.#transaction((write) => {
      for (const contact of contacts) {
        this.contacts.update(contact.id, {
          ...{
            status: "failed",
            outcome: "do_not_call",
            failure_reason: "do_not_call",
            next_attempt_at: null,
            updated_at: now,
          },
        });
        this.#count(contact.status, "failed");
        write(contactEntry(contact, "failed", null, null, "do_not_call"));
      }
    }, now);
  }

  /** Cancels up to `limit` of those who wait, after a stop; gives how many. */
  cancelSome(limit: number, now: number): number {
    const waiting = this.contacts.waiting(limit);
    if (waiting.length === 0) return 0;
    this.#transaction((write) => {
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
    this.#transaction((write) => {
      this.campaign.update({ status: "completed", status_reason: null, ended_at: now, updated_at: now });
      write(this.#campaignEntry(null, null));
    }, now);
  }

  #take(
    attempt: AttemptRow,
    news: Pick<CallEvent, "status" | "answered_by"> & { reason?: string },
    limits: CallLimits | null,
    write: (entry: NewEntry) => void,
    now: number,
  ): void {
    const contact = this.contacts.get(attempt.contact);
    if (!contact) return;
    const change = afterNews(contact, news, this.campaign.settings.retry_config, this.campaign.known.status, now);
    if (!change) return;
    if (change.hangup && limits) this.attempts.update(attempt.call_id, { hangup: 1 });
    this.#apply(attempt, contact, change, change.ended ? (news.reason ?? null) : null, write, now);
  }

  #apply(
    attempt: AttemptRow,
    contact: ContactRow,
    change: ContactChange,
    detail: string | null,
    write: (entry: NewEntry) => void,
    now: number,
  ): void {
    const failed = change.ended && change.status !== "completed";
    const reason = failed ? detail || change.outcome : null;
    this.contacts.update(contact.id, {
      ...{ status: change.status, next_attempt_at: change.nextAttemptAt, updated_at: now },
      ...(change.outcome !== null && { outcome: change.outcome }),
      ...(change.ended && { failure_reason: reason }),
    });
    if (change.ended) {
      this.attempts.update(attempt.call_id, {
        ...{ state: "ended", ended_at: now, outcome: change.outcome, reason: detail, lease: "free", deadline: null },
      });
    }
    this.#count(contact.status, change.status);
    this.campaign.update({ updated_at: now });
    write(
      contactEntry(
        contact,
        change.status,
        attempt.number,
        attempt.call_id,
        change.outcome === "answered" ? null : (change.outcome ?? reason),
      ),
    );
  }

  #count(from: ContactStatus, to: ContactStatus): void {
    if (from === to) return;
    const row = this.campaign.known;
    this.campaign.update({ [from]: row[from] - 1, [to]: row[to] + 1 });
  }

  #campaignEntry(reason: string | null, actor: string | null): NewEntry {
    return {
      event: "campaign",
      status: this.campaign.known.status,
      reason,
      actor,
      counts: JSON.stringify(this.campaign.counts),
    };
  }

  /** Runs work and writes its history in one transaction; only once it holds does anybody hear of it. */
  #transaction(work: (write: (...entries: NewEntry[]) => void) => void, now: number): void {
    let written: LogRow[] = [];
    try {
      this.#storage.transactionSync(() => {
        const entries: NewEntry[] = [];
        work((...more) => entries.push(...more));
        if (entries.length > 0) written = this.log.append(entries, now);
      });
    } catch (error) {
      this.campaign.reload();
      throw error;
    }
    if (written.length > 0) this.#publish(written);
  }
}

function contactEntry(
  contact: Pick<ContactRow, "id" | "phone" | "status">,
  status: ContactStatus,
  attempt: number | null,
  callId: string | null,
  reason: string | null,
): NewEntry {
  return {
    ...{ event: status, status, previous_status: contact.status, contact: contact.id, phone: contact.phone },
    ...{ attempt, call_id: callId, reason },
  };
}
