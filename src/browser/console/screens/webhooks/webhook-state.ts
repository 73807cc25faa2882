import { formatRelative } from "../../texts/format.ts";
import { webhooks as t } from "../../texts/index.ts";
import type { Tone } from "../../ui/tone.ts";
import type { Delivery, Webhook } from "./queries.ts";

/** Number of waiting events from which the backlog is shown. A few are always in transit. */
const MANY_BEHIND = 100;

type State = keyof typeof t.states;

const TONES: Record<State, Tone> = { ok: "ok", behind: "info", failing: "warn", disabled: "idle" };

/** Returns the state of a webhook as a word and its tone. */
export function stateOf(webhook: Pick<Webhook, "status" | "disabled_reason" | "failing_since" | "behind">): {
  tone: Tone;
  words: string;
} {
  const state = judged(webhook);
  const isByItself = webhook.disabled_reason !== null && webhook.disabled_reason !== "requested";
  return { tone: state === "disabled" && isByItself ? "bad" : TONES[state], words: t.states[state] };
}

function judged({ status, failing_since, behind }: Pick<Webhook, "status" | "failing_since" | "behind">): State {
  if (status === "disabled") return "disabled";
  if (failing_since !== null) return "failing";
  return behind > MANY_BEHIND ? "behind" : "ok";
}

const DELIVERY_TONES: Record<Delivery["status"], Tone> = { pending: "live", delivered: "ok", failed: "bad" };

/** Returns the tone of a delivery. A pending one with a failed attempt needs attention. */
export function toneOf({ status, attempts }: Pick<Delivery, "status" | "attempts">): Tone {
  return status === "pending" && attempts.length > 0 ? "warn" : DELIVERY_TONES[status];
}

/** Returns the outcome of a delivery, or its next step, as a sentence. `now` is in ms. */
export function nextStep(
  { status, attempts, next_attempt_at }: Pick<Delivery, "status" | "attempts" | "next_attempt_at">,
  now: number,
): string {
  if (status === "delivered") return t.next.delivered(attempts.length);
  if (status === "failed") return attempts.length === 0 ? t.next.failedUnsent : t.next.failed(attempts.length);
  const isDue = next_attempt_at === null || Date.parse(next_attempt_at) <= now;
  return isDue ? t.next.sending : t.next.retry(formatRelative(next_attempt_at, now));
}
