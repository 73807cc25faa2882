import type { CallLine } from "./report.ts";

/** The line of a call of which only other parts have been reported. */
export const NO_LINE: CallLine = {
  direction: "outbound",
  status: "queued",
  agent_id: "",
  agent_version: null,
  campaign_id: null,
  contact_id: null,
  api_key_id: null,
  from_number: "",
  to_number: "",
  provider: "",
  credentials_id: null,
  provider_call_id: null,
  end_reason: null,
  started_at: null,
  connected_at: null,
  ended_at: null,
  disclosure: null,
  recorded: false,
  voicemail: null,
  message: null,
  message_until: null,
  metadata: {},
  variables: {},
  own_metadata: {},
};
