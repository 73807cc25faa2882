import type { Disclosure } from "../../kernel/db/schema/index.ts";

/** What a campaign knows about one of its calls. */
export interface CampaignCall {
  agent_id: string;
  /** The version that its agent is pinned to; null if it follows the one in force. */
  pinned_version: number | null;
  contact_id: string;
  from_number: string;
  to_number: string;
  provider: string;
  /** `phone_number`, then the contact's columns in the order of the file: one may be called anything, also `__proto__`. */
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
