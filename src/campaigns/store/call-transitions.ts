import { type CallLimits, lookAtAfterRebuild, lookAtFirst } from "../../calls/reconciliation.ts";
import { advances, type CallStatus, isTerminal } from "../../carriers/call-status.ts";
import type { CallEvent } from "../../carriers/carrier.ts";
import { afterEnd, afterNews, type ContactChange, isOver, type Outcome } from "../decide/state.ts";
import type { AttemptLine, AttemptRow } from "./attempts.ts";
import { type CampaignBook, contactEntry, type Write } from "./campaign-store.ts";
import type { ContactRow } from "./contacts.ts";

/** The part of the campaign's book that tells of its calls: each is written down before it is made. */
export class CallBook {
  readonly #book: CampaignBook;

  constructor(book: CampaignBook) {
    this.#book = book;
  }

  /** Writes down a call that is about to be made: from here on it may exist at the carrier. */
  begin(contact: ContactRow, callId: string, line: AttemptLine, limits: CallLimits, now: number): void {
    const { attempts, contacts } = this.#book;
    const number = contact.attempts + 1;
    const deadline = lookAtFirst({ placedAt: now, connectedAt: null, inDoubt: false }, limits, now);
    const { provider, from_number, credentials_id, agent_id } = line;
    this.#book.transaction(() => {
      attempts.begin({
        call_id: callId,
        contact: contact.id,
        number,
        dialled_at: now,
        deadline,
        provider,
        from_number,
        credentials_id,
        agent_id,
      });
      contacts.update(contact.id, {
        attempts: number,
        last_attempt_at: now,
        next_attempt_at: null,
        call_id: callId,
        updated_at: now,
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
      if (attempt.state !== "ended") this.#take(attempt, { status: "initiated", answered_by: null }, write, now);
    }, now);
  }

  /** The carrier may or may not have the call: it is asked about until that is known. */
  inDoubt(callId: string, limits: CallLimits, now: number): void {
    const attempt = this.#book.attempts.get(callId);
    if (attempt?.state !== "dialing") return;
    const { dialled_at: placedAt, connected_at: connectedAt } = attempt;
    const deadline = lookAtFirst({ placedAt, connectedAt, inDoubt: true }, limits, now);
    this.#book.transaction(() => this.#book.attempts.update(callId, { deadline }), now);
  }

  /** News of a call that its carrier was asked for. */
  seen(callId: string, event: CallEvent, limits: CallLimits, now: number): void {
    if (this.#book.attempts.get(callId)?.state === "dialing") this.placed(callId, event.provider_call_id, now);
    this.news(callId, event, limits, now);
  }

  /**
   * News of a call, whoever brings it; what is late or known already changes nothing. That a machine answered counts
   * whenever it is told, since carriers listen for a while before they can tell.
   */
  news(callId: string, event: CallEvent, limits: CallLimits, now: number): void {
    const attempt = this.#book.attempts.get(callId);
    if (!attempt) return;
    if (attempt.state === "ended") {
      this.#newsAfterEnd(attempt, event, now);
      return;
    }
    const advanced = advances(attempt.status, event.status);
    const toldWho = event.answered_by !== null && event.answered_by !== attempt.answered_by;
    if (!advanced && !toldWho) return;
    const answered = event.status === "in-progress" && attempt.connected_at === null;
    const connectedAt = answered ? now : attempt.connected_at;
    const deadline = lookAtFirst({ placedAt: attempt.dialled_at, connectedAt, inDoubt: false }, limits, now);
    this.#book.transaction((write) => {
      this.#book.attempts.update(callId, {
        state: "placed",
        status: advanced ? event.status : attempt.status,
        provider_call_id: event.provider_call_id ?? attempt.provider_call_id,
        answered_by: event.answered_by ?? attempt.answered_by,
        connected_at: connectedAt,
        deadline: answered ? deadline : Math.max(deadline, attempt.deadline ?? 0),
        lease: answered ? "renew" : attempt.lease,
      });
      this.#take(attempt, event, write, now);
    }, now);
  }

  /** A call that was taken for answered by a person turns out to have been a machine; or one to be hung up has ended. */
  #newsAfterEnd(attempt: AttemptRow, event: CallEvent, now: number): void {
    if (attempt.hangup === 1 && isTerminal(event.status)) this.hungUp(attempt.call_id, now);
    const contact = this.#book.contacts.get(attempt.contact);
    const { settings, known } = this.#book.campaign;
    const corrects = event.answered_by === "machine" && attempt.outcome === "answered" && !isOver(known.status);
    if (!corrects || contact?.call_id !== attempt.call_id) return;
    this.#book.transaction((write) => {
      this.#book.attempts.update(attempt.call_id, { answered_by: "machine" });
      const change = afterEnd(contact, "machine", settings.retry_config, known.status, now);
      this.#apply(attempt, contact, change, null, write, now);
    }, now);
  }

  /**
   * The call ended without the carrier's word for it: refused, or nobody can tell. The contact is not dialled again.
   * Where the call may still run it is hung up at `hangUpAt`, ms.
   */
  end(
    callId: string,
    outcome: Outcome,
    status: CallStatus,
    reason: string,
    now: number,
    hangUpAt: number | null = null,
  ): void {
    const attempt = this.#book.attempts.get(callId);
    if (!attempt || attempt.state === "ended") return;
    this.#book.transaction((write) => {
      const contact = this.#book.contacts.get(attempt.contact);
      if (!contact) return;
      this.#book.attempts.update(callId, { status });
      const { settings, known } = this.#book.campaign;
      const change = afterEnd(contact, outcome, settings.retry_config, known.status, now);
      this.#apply(attempt, contact, { ...change, hangup: hangUpAt !== null }, reason, write, now);
      if (hangUpAt !== null) this.#book.attempts.update(callId, { hangup_at: hangUpAt });
    }, now);
  }

  /** A call that was to be hung up is: its slot can go to another. */
  hungUp(callId: string, now: number): void {
    const attempt = this.#book.attempts.get(callId);
    if (attempt?.hangup !== 1) return;
    this.#book.transaction(() => {
      const over = attempt.state === "ended";
      this.#book.attempts.update(callId, {
        hangup: 0,
        hangup_at: null,
        lease: over ? "free" : attempt.lease,
        status: over && !isTerminal(attempt.status) ? "completed" : attempt.status,
      });
    }, now);
  }

  /** The object was built anew: what was said of its calls meanwhile reached nobody, so all are asked about. */
  lookAtAll(now: number): void {
    const { attempts } = this.#book;
    for (const { call_id, looked_at } of attempts.open())
      attempts.update(call_id, { deadline: lookAtAfterRebuild(looked_at, now) });
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
        status: over ? "cancelled" : "pending",
        outcome: null,
        nextAttemptAt: over ? null : now + backoff,
        ended: true,
        hangup: false,
      };
      this.#apply(attempt, contact, change, reason, write, now);
      // No call was made, so it does not count towards the account's caps either.
      this.#book.attempts.update(callId, { lease: "refund" });
    }, now);
  }

  /** The carrier asks to go slower. Calls that were begun before it last said so were refused in the same burst. */
  carrierBusy(begunAt: number, backoff: (failures: number) => number, now: number): void {
    const { failures, not_before } = this.#book.campaign.known;
    const sameBurst = failures > 0 && not_before !== null && begunAt <= not_before - backoff(failures);
    if (!sameBurst) this.carrierFailed("carrier_rate", backoff, Number.POSITIVE_INFINITY, now);
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
          status: "failed",
          outcome: "do_not_call",
          failure_reason: "do_not_call",
          next_attempt_at: null,
          updated_at: now,
        });
        this.#book.campaign.move(contact.status, "failed");
        write(contactEntry(contact, "failed", null, null, "do_not_call"));
      }
    }, now);
  }

  #take(
    attempt: AttemptRow,
    news: Pick<CallEvent, "status" | "answered_by"> & { reason?: string },
    write: Write,
    now: number,
  ): void {
    const contact = this.#book.contacts.get(attempt.contact);
    if (!contact) return;
    const { settings, known } = this.#book.campaign;
    const change = afterNews(contact, news, settings.retry_config, known.status, now);
    if (!change) return;
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
      status: change.status,
      next_attempt_at: change.nextAttemptAt,
      updated_at: now,
      ...(change.outcome !== null && { outcome: change.outcome }),
      ...(change.ended && { failure_reason: reason }),
    });
    if (change.ended) {
      this.#book.attempts.update(attempt.call_id, {
        state: "ended",
        ended_at: attempt.ended_at ?? now,
        outcome: change.outcome,
        reason: detail,
        deadline: null,
      });
      // A call that we still have to hang up keeps its slot until then.
      if (change.hangup) this.#book.attempts.update(attempt.call_id, { hangup: 1, hangup_at: now });
      else this.#book.attempts.update(attempt.call_id, { hangup: 0, hangup_at: null, lease: "free" });
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
