import { messageTemplate } from "../../phone/calls/machine-message.ts";
import type { CampaignAgent } from "../references.ts";
import type { CampaignSettings } from "../settings.ts";

/** Returns the message that a campaign leaves for machines, with its placeholders; "" if it leaves none. */
export function leftMessage(
  agent: CampaignAgent,
  { voicemail, voicemail_message }: Pick<CampaignSettings, "voicemail" | "voicemail_message">,
): string {
  return voicemail === "leave_message" ? messageTemplate(agent, voicemail_message) : "";
}
