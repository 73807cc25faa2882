import { advances, type CallStatus } from "../calls/status.ts";
import type { CallEvent } from "../carriers/carrier.ts";
import { type CampaignBook, contactEntry, type Write } from "./book.ts";
import { afterEnd, afterNews, type ContactChange, isOver, type Outcome } from "./state.ts";
import type { AttemptRow } from "./storage/attempts.ts";
import type { ContactRow } from "./storage/contacts.ts";

/** How long a call may ring and last, ms. */
export interface CallLimits {
  ring: number;
  duration: number;
}

/** The part of the campaign's book that tells of its calls: each is written down before it is made. */
export class CallBook {
  readonly #book: CampaignBook;

  constructor(book: CampaignBook) {
    this.#book = book;
  }

  /** Writes down a call that is about to be made: from here on it may exist at the carrier. */
  begin(contact: ContactRow, callId: string, provider: string, limits: CallLimits, now: number): void {
    const { attempts, contacts } = this.#book;
    const number = contact.attempts + 1;
    const deadline = now + limits.ring;
    this.#book.transaction(() => {
      attempts.begin({ call_id: callId, contact: contact.id, number, provider, dialled_at: now, deadline });
      contacts.update(contact.id, {
        ...{ attempts: number, last_attempt_at: now, next_attempt_at: null, call_id: callId, updated_at: now },
      });
    }, now);
  }

  /** The carrier has taken the call. */
  placed(callId: string, providerCallId: string | null, now: number): void {
    this.#book.transaction((write) => {
      const attempt = this.#book.attempts.get(callId);
      if (!attempt) return;
      this.#book.campaign.update({ failures: 0, not_before: null });
      this.#book.attempts.update(callId, {
        provider_call_id: providerCallId,
        ...(attempt.state === "dialing" && { state: "placed", status: "initiated" }),
      });
      if (attempt.state !== "ended") this.#take(attempt, { status: "initiated", answered_by: null }, null, write, now);
    }, now);
  }

  /** News of a call, whoever brings it; what is late or known already changes nothing. */
  news(callId: string, event: CallEvent, limits: CallLimits, now: number): void {
    const attempt = this.#book.attempts.get(callId);
    if (!attempt || attempt.state === "ended" || !advances(attempt.status, event.status)) return;
    this.#book.transaction((write) => {
      this.#book.attempts.update(callId, {
        ...{ state: "placed", status: event.status },
        ...(event.provider_call_id !== null && { provider_call_id: event.provider_call_id }),
        ...(event.status === "in-progress" && { connected_at: now, deadline: now + limits.duration, lease: "renew" }),
      });
      this.#take(attempt, event, limits, write, now);
    }, now);
  }

  /** The call ended without the carrier's word for it: refused, or nobody can tell. The contact is not dialled again. */
  end(callId: string, outcome: Outcome, status: CallStatus, reason: string, now: number): void {
    const attempt = this.#book.attempts.get(callId);
    if (!attempt || attempt.state === "ended") return;
    this.#book.transaction((write) => {
      const contact = this.#book.contacts.get(attempt.contact);
      if (!contact) return;
      this.#book.attempts.update(callId, { status });
      const { settings, known } = this.#book.campaign;
      const change = afterEnd(contact, outcome, settings.retry_config, known.status, now);
      this.#apply(attempt, contact, change, reason, write, now);
    }, now);
  }

  /**
   * The carrier did not take the call for a reason that is not the contact's: the call does not count, and the contact
   * is dialled again once the carrier has been left alone for `backoff` ms.
   */
  postpone(callId: string, reason: string, backoff: number, now: number): void {
    const attempt = this.#book.attempts.get(callId);
    if (!attempt || attempt.state === "ended") return;
    this.#book.transaction((write) => {
      const contact = this.#book.contacts.get(attempt.contact);
      if (!contact) return;
      const over = isOver(this.#book.campaign.known.status);
      this.#book.attempts.update(callId, { status: "failed" });
      this.#book.contacts.update(contact.id, { attempts: contact.attempts - 1 });
      const change: ContactChange = {
        ...{ status: over ? "cancelled" : "pending", outcome: null, nextAttemptAt: over ? null : now + backoff },
        ...{ ended: true, hangup: false },
      };
      this.#apply(attempt, contact, change, reason, write, now);
    }, now);
  }

  /** Counts a failure of the carrier; after `limit` in a row the campaign pauses itself. */
  carrierFailed(reason: string, backoff: (failures: number) => number, limit: number, now: number): void {
    const { campaign } = this.#book;
    const failures = campaign.known.failures + 1;
    this.#book.transaction((write) => {
      campaign.update({ failures, not_before: now + backoff(failures) });
      if (failures < limit || campaign.known.status !== "running") return;
      campaign.update({ status: "paused", status_reason: reason, updated_at: now });
      write(this.#book.campaignEntry(reason, null));
    }, now);
  }

  /** A number that must not be called: its contact ends without a call. */
  exclude(contacts: ContactRow[], now: number): void {
    this.#book.transaction((write) => {
      for (const contact of contacts) {
        this.#book.contacts.update(contact.id, {
          ...{ status: "failed", outcome: "do_not_call", failure_reason: "do_not_call" },
          ...{ next_attempt_at: null, updated_at: now },
        });
        this.#book.campaign.move(contact.status, "failed");
        write(contactEntry(contact, "failed", null, null, "do_not_call"));
      }
    }, now);
  }

  #take(
    attempt: AttemptRow,
    news: Pick<CallEvent, "status" | "answered_by"> & { reason?: string },
    limits: CallLimits | null,
    write: Write,
    now: number,
  ): void {
    const contact = this.#book.contacts.get(attempt.contact);
    if (!contact) return;
    const { settings, known } = this.#book.campaign;
    const change = afterNews(contact, news, settings.retry_config, known.status, now);
    if (!change) return;
    if (change.hangup && limits) this.#book.attempts.update(attempt.call_id, { hangup: 1 });
    this.#apply(attempt, contact, change, change.ended ? (news.reason ?? null) : null, write, now);
  }

  #apply(
    attempt: AttemptRow,
    contact: ContactRow,
    change: ContactChange,
    detail: string | null,
    write: Write,
    now: number,
  ): void {
    const failed = change.ended && change.status !== "completed";
    const reason = failed ? detail || change.outcome : null;
    this.#book.contacts.update(contact.id, {
      ...{ status: change.status, next_attempt_at: change.nextAttemptAt, updated_at: now },
      ...(change.outcome !== null && { outcome: change.outcome }),
      ...(change.ended && { failure_reason: reason }),
    });
    if (change.ended) {
      this.#book.attempts.update(attempt.call_id, {
        ...{ state: "ended", ended_at: now, outcome: change.outcome, reason: detail, deadline: null },
        // A call that we still have to hang up keeps its slot until then.
        ...(!change.hangup && { lease: "free" }),
      });
    }
    this.#book.campaign.move(contact.status, change.status);
    this.#book.campaign.update({ updated_at: now });
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
}
