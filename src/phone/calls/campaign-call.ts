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
  /** The contact's time zone, else the campaign's; "" for neither. */
  timezone: string;
  /** ms; null while it runs. */
  ended_at: number | null;
}
