import type { Settings } from "../../kernel/db/revision.ts";
import { type callSettings, NO_DISCLOSURE } from "../../kernel/db/schema/index.ts";

export type CallSettings = Settings<typeof callSettings.$inferSelect>;

/** The settings of an account that has changed none. */
export const DEFAULT_CALL_SETTINGS: CallSettings = {
  retention_days: null,
  record_outbound: true,
  record_inbound: false,
  recording_announcement: null,
  disclosure: NO_DISCLOSURE,
  ring_timeout_s: 45,
  inbound_reserve: null,
  caller_concurrent_calls: 2,
  caller_calls_per_day: 20,
  voicemail: "hang_up",
  allowed_destinations: null,
};

export const CALL_VOICEMAIL = ["hang_up", "leave_message", "continue", "off"] as const;
export type CallVoicemail = (typeof CALL_VOICEMAIL)[number];

/** Explains the choices in the API reference. */
export const CALL_VOICEMAIL_WORDS =
  "What happens when a machine answers: `hang_up` ends the call; `leave_message` leaves the agent's greeting " +
  "if the carrier supports it, otherwise hangs up; `continue` lets the agent talk to it; `off`: the carrier does not detect " +
  "machines at all. Most carriers charge for detection.";
