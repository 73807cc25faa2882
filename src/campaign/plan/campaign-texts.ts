import { ownPhrases } from "../../agent/speech/sentences.ts";
import { messageTemplate } from "../../phone/calls/machine-message.ts";
import type { CampaignAgent } from "../references.ts";
import type { CampaignSettings } from "../settings.ts";

function leftMessage(
  agent: CampaignAgent,
  { voicemail, voicemail_message }: Pick<CampaignSettings, "voicemail" | "voicemail_message">,
): string {
  return voicemail === "leave_message" ? messageTemplate(agent, voicemail_message) : "";
}

/** Returns all texts that an agent speaks or is given on a campaign's calls, with their placeholders, by their use. */
export function campaignTexts(agent: CampaignAgent, settings: CampaignSettings): Record<string, string> {
  const { system_prompt, greeting_message } = agent;
  const message = leftMessage(agent, settings);
  return Object.assign({ system_prompt, greeting_message, message }, ownPhrases(agent.phrases));
}
