import type { Disclosure } from "../../kernel/db/schema/index.ts";

/** The facts about a call that its conversation needs. */
export interface CallSession {
  direction: "outbound" | "inbound";
  /** The version to which its agent is pinned; null if it follows the one in force. */
  pinned_version: number | null;
  campaign_id: string | null;
  contact_id: string | null;
  /** The API key that placed it; null if none did. */
  api_key_id: string | null;
  from_number: string;
  to_number: string;
  provider: string;
  /**
   * A contact's variables are `phone_number`, then the file's columns in order. A column may have any name, even
   * `__proto__`.
   */
  variables: [name: string, value: string][];
  /** The contact's own time zone; null if it has none. */
  contact_timezone: string | null;
  /** The time zone chosen for the campaign; null if none was chosen. */
  campaign_timezone: string | null;
  disclosure: Disclosure | null;
  /** ms; null while it runs. */
  ended_at: number | null;
}
