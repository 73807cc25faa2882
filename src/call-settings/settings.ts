import type { Settings } from "../db/revision.ts";
import type { callSettings } from "../db/schema/index.ts";

/** How the account's calls are held. */
export type CallSettings = Settings<typeof callSettings.$inferSelect>;

/** What holds until an account says otherwise. */
export const DEFAULT_CALL_SETTINGS: CallSettings = {
  retention_days: null,
  record_outbound: true,
  record_inbound: false,
  recording_announcement: null,
  ring_timeout_s: 45,
  inbound_reserve: null,
};
