import type { phoneNumbers } from "../../kernel/db/schema/index.ts";
import type { CallerCap, CallRefusal, RefusalCause } from "../call-limits/call-caps.ts";
import type { CallObstacle } from "../calls/call-obstacles.ts";

type Dialled = Pick<typeof phoneNumbers.$inferSelect, "provider" | "credentials_id" | "inbound_enabled"> | undefined;

/** What rejected callers hear. */
export const SORRY = {
  unknown_number: "This number is not in service.",
  inbound_disabled: "This number does not take calls.",
  no_agent: "Nobody is available to take your call. Please try again later.",
  no_model: "Nobody is available to take your call. Please try again later.",
  not_connected: "Nobody is available to take your call. Please try again later.",
  at_capacity: "All lines are busy. Please try again later.",
} as const;
export type Refusal = keyof typeof SORRY;

/** A caller is not put through; at capacity by this cap, until then (ms). */
export interface TurnedAway {
  refusal: Refusal;
  full?: CallRefusal<RefusalCause | CallerCap>;
}

/** Why a number does not take a call that came through these credentials; null if it does. */
export function numberRefusal(
  number: Dialled,
  by: { provider: string; credentials_id: string | null },
): Refusal | null {
  // A carrier speaks for its own numbers only.
  const theirs =
    number?.provider === by.provider && (by.credentials_id ?? number.credentials_id) === number.credentials_id;
  if (!number || !theirs) return "unknown_number";
  return number.inbound_enabled ? null : "inbound_disabled";
}

/** The answer to a caller whose agent may not take a call. */
export function obstacleRefusal({ code }: CallObstacle): Refusal {
  return code === "no_model" ? "no_model" : "no_agent";
}
