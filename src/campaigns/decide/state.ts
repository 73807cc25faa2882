import type { CallEvent } from "../../carriers/carrier.ts";

export const CAMPAIGN_STATUSES = ["draft", "running", "paused", "stopped", "completed"] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];
export const CONTACT_STATUSES = ["pending", "originated", "connected", "completed", "failed", "cancelled"] as const;
export type ContactStatus = (typeof CONTACT_STATUSES)[number];
export type Operation = "start" | "pause" | "resume" | "stop";

/** The outcome of a contact's latest call. */
export type Outcome =
  | "answered"
  | "busy"
  | "no_answer"
  | "failed"
  | "rejected"
  | "machine"
  | "canceled"
  | "do_not_call"
  | "unknown";

/** The state machine of a campaign: the states an operation starts from, and the one it leads to. */
const TRANSITIONS: Record<Operation, { from: CampaignStatus[]; to: CampaignStatus }> = {
  start: { from: ["draft", "paused"], to: "running" },
  pause: { from: ["running"], to: "paused" },
  resume: { from: ["paused"], to: "running" },
  stop: { from: ["draft", "running", "paused"], to: "stopped" },
};

/** The state an operation leads to, null where it does not apply. */
export function afterOperation(status: CampaignStatus, operation: Operation): CampaignStatus | null {
  const { from, to } = TRANSITIONS[operation];
  return from.includes(status) ? to : null;
}

/** Whether a campaign is over: nothing will ever be dialled again. */
export function isOver(status: CampaignStatus): boolean {
  return status === "stopped" || status === "completed";
}

export const RETRYABLE = ["busy", "no_answer", "failed", "machine"] as const;

export interface RetryPolicy {
  max_attempts: number;
  retry_interval_minutes: number;
  retry_on: (typeof RETRYABLE)[number][];
}

/** What a contact is like once an event of its call is taken in. */
export interface ContactChange {
  status: ContactStatus;
  outcome: Outcome | null;
  /** When it may be dialled again (ms), null for never. */
  nextAttemptAt: number | null;
  /** The call itself is over; its slot can go to another. */
  ended: boolean;
  /** The call must be ended by us: a machine answered. */
  hangup: boolean;
}

/** Where a contact stands with its open call. */
export interface OpenContact {
  status: ContactStatus;
  attempts: number;
}

/**
 * What an event of an open call does to its contact, null for one that changes nothing.
 * A contact to be tried again goes back to pending, never through failed, and only while the campaign is not over.
 */
export function afterEvent(
  contact: OpenContact,
  event: Pick<CallEvent, "status" | "answered_by">,
  policy: RetryPolicy,
  campaign: CampaignStatus,
  now: number,
): ContactChange | null {
  if (event.answered_by === "machine" && event.status !== "completed") {
    return { ...afterEnd(contact, "machine", policy, campaign, now), hangup: true };
  }
  switch (event.status) {
    case "queued":
    case "initiated":
    case "ringing":
      return contact.status === "pending" ? still("originated") : null;
    case "in-progress":
      return contact.status === "connected" ? null : still("connected");
    case "completed":
      return event.answered_by === "machine"
        ? afterEnd(contact, "machine", policy, campaign, now)
        : { status: "completed", outcome: "answered", nextAttemptAt: null, ended: true, hangup: false };
    case "busy":
      return afterEnd(contact, "busy", policy, campaign, now);
    case "no-answer":
      return afterEnd(contact, "no_answer", policy, campaign, now);
    case "failed":
      return afterEnd(contact, "failed", policy, campaign, now);
    case "canceled":
      return afterEnd(contact, "canceled", policy, campaign, now);
  }
}

/** What becomes of a contact whose call ended with this outcome: another try, or failed for good. */
export function afterEnd(
  contact: OpenContact,
  outcome: Outcome,
  policy: RetryPolicy,
  campaign: CampaignStatus,
  now: number,
): ContactChange {
  const again =
    !isOver(campaign) &&
    contact.attempts < policy.max_attempts &&
    policy.retry_on.some((retryable) => retryable === outcome);
  return {
    status: again ? "pending" : "failed",
    outcome,
    nextAttemptAt: again ? now + Math.max(1, Math.round(policy.retry_interval_minutes * 60_000)) : null,
    ended: true,
    hangup: false,
  };
}

function still(status: "originated" | "connected"): ContactChange {
  return { status, outcome: null, nextAttemptAt: null, ended: false, hangup: false };
}
