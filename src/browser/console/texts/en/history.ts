/**
 * Texts shared by the lists of conversations, calls and recordings: filters, the player, and the names of linked
 * resources.
 */
export const history = {
  from: "From",
  until: "Until",
  agent: "Agent",
  campaign: "Campaign",
  anyAgent: "All agents",
  anyCampaign: "All campaigns",
  phoneNumber: "Phone number",
  phonePlaceholder: "+1 202 555 0143",
  phoneWrong: "Include the country code: +1 202 555 0143.",
  moreFilters: "More filters",
  fewerFilters: "Fewer filters",
  clear: "Clear filters",
  deletedAgent: "Deleted agent",
  deletedCampaign: "Deleted campaign",
  deletedKey: "Deleted API key",
  shown: (shown: string) => `${shown} shown`,
  atLeast: (count: string) => `${count}+`,
  player: "Recording",
  play: "Play",
  pause: "Pause",
  position: "Position",
  positionOf: (at: string, of: string) => `${at} of ${of}`,
  speed: "Speed",
  times: (speed: number) => `${speed}×`,
};
