import { MINUTE_MS } from "../../kernel/time.ts";
import { CALL_VOICEMAIL } from "../../phone/call-settings/settings.ts";
import type { CallState } from "../../records/ledger/call-state.ts";
import type { MachineStep, MessageState } from "../../records/ledger/machine-message.ts";

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

/** The state machine of a campaign: the states from which an operation starts, and the state it leads to. */
const TRANSITIONS: Record<Operation, { from: CampaignStatus[]; to: CampaignStatus }> = {
  start: { from: ["draft", "paused"], to: "running" },
  pause: { from: ["running"], to: "paused" },
  resume: { from: ["paused"], to: "running" },
  stop: { from: ["draft", "running", "paused"], to: "stopped" },
};

/** Returns the state that an operation leads to; null if it doesn't apply. */
export function afterOperation(status: CampaignStatus, operation: Operation): CampaignStatus | null {
  const { from, to } = TRANSITIONS[operation];
  return from.includes(status) ? to : null;
}

/** Checks whether a campaign is over, so that it will never dial again. */
export function isOver(status: CampaignStatus): boolean {
  return status === "stopped" || status === "completed";
}

export const RETRYABLE = ["busy", "no_answer", "failed", "machine"] as const;

export interface RetryPolicy {
  max_attempts: number;
  retry_interval_minutes: number;
  /** The waits after the first attempt, the second and so on. The last one repeats. Replaces retry_interval_minutes. */
  intervals_minutes?: number[] | undefined;
  retry_on: (typeof RETRYABLE)[number][];
}

/** What happens when a machine answers. */
export const VOICEMAIL = [...CALL_VOICEMAIL, "retry"] as const;
export type Voicemail = (typeof VOICEMAIL)[number];

/** The settings by which an ended call is judged. */
export interface EndPolicy {
  retry_config: RetryPolicy;
  voicemail: Voicemail;
}

export type { MessageState };

/** A contact after an event of its call. */
export interface ContactChange {
  status: ContactStatus;
  outcome: Outcome | null;
  /** Why it failed, if that says more than the outcome. */
  reason: string | null;
  /** When it may be dialed again, ms; null for never. */
  nextAttemptAt: number | null;
  /** Whether the call is over for the contact. Its slot is freed too, unless the campaign must hang up. */
  ended: boolean;
  /** Whether the campaign must hang up, because a machine answered. */
  hangup: boolean;
  /** The new state of the message for a machine; null if it doesn't change. */
  message: MessageState | null;
}

export interface OpenContact {
  status: ContactStatus;
  attempts: number;
  /** The state of the message for the machine that answered; null if none is to be left. */
  message: MessageState | null;
}

/** A call after an event, and the required step if the event reports a machine. */
export interface CallNews {
  call: Pick<CallState, "status" | "answered_by" | "over">;
  step: MachineStep | null;
}

/**
 * Returns the changes to a contact that follow from an event of its open call; null for none. A contact to be retried
 * returns to pending without becoming failed, and only while the campaign isn't over.
 */
export function contactAfter(
  contact: OpenContact,
  { call, step }: CallNews,
  policy: EndPolicy,
  campaign: CampaignStatus,
  now: number,
): ContactChange | null {
  const isMachine = call.answered_by === "machine";
  if (step === "hang_up") return { ...afterMachine(contact, policy, campaign, now), hangup: true };
  if (step !== null) return { ...still("connected"), message: step };
  if (isMachine && call.over) return afterMachine(contact, policy, campaign, now);
  if (isMachine) return contact.status === "connected" ? null : still("connected");
  switch (call.status) {
    case "queued":
    case "initiated":
    case "ringing":
      return contact.status === "pending" ? still("originated") : null;
    case "in-progress":
      return contact.status === "connected" ? null : still("connected");
    case "completed":
      return over({ status: "completed", outcome: "answered", reason: null, nextAttemptAt: null });
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

/** Returns what happens to a contact whose call a machine answered, depending on the state of its message. */
export function afterMachine(
  contact: OpenContact,
  policy: EndPolicy,
  campaign: CampaignStatus,
  now: number,
): ContactChange {
  const failed = { status: "failed", outcome: "machine", nextAttemptAt: null } as const;
  if (contact.message === "left") return over({ ...failed, reason: "message_left" });
  // The message may have been spoken. A person who may have received it isn't called again.
  if (contact.message === "asked") return over({ ...failed, reason: "message_in_doubt" });
  return afterEnd(contact, "machine", policy, campaign, now);
}

/** Returns what happens to a contact whose call ended with this outcome: a retry or final failure. */
export function afterEnd(
  contact: Pick<OpenContact, "attempts">,
  outcome: Outcome,
  { retry_config, voicemail }: EndPolicy,
  campaign: CampaignStatus,
  now: number,
): ContactChange {
  const wanted =
    retry_config.retry_on.some((retryable) => retryable === outcome) ||
    (outcome === "machine" && voicemail === "retry");
  const again = wanted && !isOver(campaign) && contact.attempts < retry_config.max_attempts;
  return over({
    status: again ? "pending" : "failed",
    outcome,
    reason: null,
    nextAttemptAt: again ? now + waitAfter(contact.attempts, retry_config) : null,
  });
}

/** Returns how long a contact waits after this many attempts (from 1), ms. */
export function waitAfter(attempts: number, { intervals_minutes, retry_interval_minutes }: RetryPolicy): number {
  const minutes = intervals_minutes?.[attempts - 1] ?? intervals_minutes?.at(-1) ?? retry_interval_minutes;
  return Math.max(1, Math.round(minutes * MINUTE_MS));
}

function over(end: Pick<ContactChange, "status" | "outcome" | "reason" | "nextAttemptAt">): ContactChange {
  return { ...end, ended: true, hangup: false, message: null };
}

function still(status: "originated" | "connected"): ContactChange {
  return { status, outcome: null, reason: null, nextAttemptAt: null, ended: false, hangup: false, message: null };
}
