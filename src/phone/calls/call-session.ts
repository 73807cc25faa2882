import type { Disclosure } from "../../kernel/db/schema/index.ts";

/** What a conversation needs to know about the call that it is held on. */
export interface CallSession {
  direction: "outbound" | "inbound";
  /** The version that its agent is pinned to; null if it follows the one in force. */
  pinned_version: number | null;
  campaign_id: string | null;
  contact_id: string | null;
  /** The key that placed it; null for none. */
  api_key_id: string | null;
  from_number: string;
  to_number: string;
  provider: string;
  /** A contact's are `phone_number`, then the file's columns in order: one may have any name, also `__proto__`. */
  variables: [name: string, value: string][];
  /** The contact's own time zone; null if it has none. */
  contact_timezone: string | null;
  /** The time zone that was chosen for the campaign; null if none was. */
  campaign_timezone: string | null;
  /** What is said on it before the first word; null for nothing. */
  disclosure: Disclosure | null;
  /** ms; null while it runs. */
  ended_at: number | null;
}
