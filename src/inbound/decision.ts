import type { Cap } from "../account-gate/call-caps.ts";
import type { agents, phoneNumbers } from "../db/schema/index.ts";

type Dialled = Pick<typeof phoneNumbers.$inferSelect, "provider" | "credentials_id" | "inbound_enabled"> | undefined;
type Pinned = Pick<typeof agents.$inferSelect, "id" | "status"> | undefined;

/** What callers hear that are not put through. */
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
  full?: { cap: Cap; retryAt: number };
}

/** Which agent takes a call for a number that came by way of these credentials, or why none does. */
export function whoAnswers(
  number: Dialled,
  agent: Pinned,
  by: { provider: string; credentials_id: string | null },
): { agent_id: string } | { refusal: Refusal } {
  // A carrier speaks for its own numbers only.
  const theirs =
    number?.provider === by.provider && (by.credentials_id ?? number.credentials_id) === number.credentials_id;
  if (!number || !theirs) return { refusal: "unknown_number" };
  if (!number.inbound_enabled) return { refusal: "inbound_disabled" };
  return agent?.status === "active" ? { agent_id: agent.id } : { refusal: "no_agent" };
}
