import type { ConversationEvent } from "../../../records/conversations/events.ts";

/** The conversation's own row. Times are ms. */
export type ConversationRow = {
  id: string;
  /** A SessionIdentity as JSON. */
  identity: string;
  held_by: "edge" | "own" | null;
  started_at: number;
  ended_at: number | null;
  end_reason: string | null;
  last_activity_at: number;
  quiet_since: number | null;
  prompted_for_silence: number;
  lost_at: number | null;
  transferred_to: string | null;
  /** The number of a transfer that the carrier has neither confirmed nor refused yet. */
  transfer_requested: string | null;
  /** The state that was last reported to the ledger, and the number of reports. */
  listed: string | null;
  revision: number;
  /** The outcome that was last reported to the campaign. */
  campaign_reported: string | null;
  /** Whether the turns are in R2. */
  archived: number;
  hung_up: number;
  machine: number;
  /** The ids of the visitor's last messages, as JSON; null for none. */
  message_ids: string | null;
  /** The key that limits count the visitor by; null if they are not counted. */
  address: string | null;
  /** Usage of models: tokens, and finished requests. */
  input_tokens: number;
  output_tokens: number;
  requests: number;
  /** The maximum tokens of the request in progress; null if there is none. */
  open_request: number | null;
  /** Characters that the agent's own voice was asked to speak, and the number of parts. */
  speech_chars: number;
  speech_parts: number;
  /** Whether its analysis has begun or is not needed. */
  analyzed: number;
};
export type RowChanges = Partial<Omit<ConversationRow, "id" | "identity" | "started_at">>;

/** An event before the store adds its number and time. */
export type NewEvent = ConversationEvent extends infer E
  ? E extends ConversationEvent
    ? Omit<E, "seq" | "at">
    : never
  : never;

/** An event and its arrival number. */
export interface LoggedEvent {
  n: number;
  event: ConversationEvent;
}

/** The agent's unfinished turn; `at` is when it began, ms. */
export type OpenTurn = { text: string; at: number };

export const NEW_ROW = {
  held_by: null,
  ended_at: null,
  end_reason: null,
  quiet_since: null,
  prompted_for_silence: 0,
  lost_at: null,
  transferred_to: null,
  transfer_requested: null,
  listed: null,
  revision: 0,
  campaign_reported: null,
  archived: 0,
  hung_up: 0,
  machine: 0,
  message_ids: null,
  address: null,
  input_tokens: 0,
  output_tokens: 0,
  requests: 0,
  open_request: null,
  speech_chars: 0,
  speech_parts: 0,
  analyzed: 0,
} as const;
