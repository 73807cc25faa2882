import { voicemail } from "./voicemail.ts";

/** Texts for the settings that apply to all calls of the account. */
export const callSettings = {
  title: "Call settings",
  lead: "How calls are placed and recorded. Changes apply to new calls.",
  saved: "Call settings saved",
  recording: "Recording",
  recordOutbound: "Record outbound calls",
  recordOutboundHint: "Campaigns and single calls can override this.",
  recordInbound: "Record inbound calls",
  recordInboundHint: "Starts when the agent answers.",
  announcement: "Announcement",
  announcementHint:
    "Played at the start of each recorded call, before the agent speaks. Many countries require one. Leave empty for none.",
  announcementPlaceholder: "This call is recorded.",
  dialling: "Placing calls",
  ring: "Ring time (seconds)",
  ringHint: "10 to 120. After that, the call counts as no answer.",
  reserve: "Reserved for inbound calls",
  reserveHint:
    "Concurrent calls that campaigns can't use, 0 to 50. Leave empty to reserve one if your cap is 10 or more. Campaigns always get at least one.",
  callers: "Inbound callers",
  callerConcurrent: "Concurrent calls per caller",
  callerConcurrentHint:
    "1 to 100. A caller over the limit hears that all lines are busy. All withheld numbers count as one caller. Leave empty for no limit.",
  callerDay: "Calls per caller and day",
  callerDayHint: "1 to 10,000 in a UTC day. Leave empty for no limit.",
  voicemail: voicemail.label,
  voicemailHint: "For single calls, unless the call says otherwise. Campaigns have their own setting.",
  voicemails: voicemail.choices,
  voicemailCost:
    "Most carriers charge for every call with machine detection. Without it, the agent talks to people and " +
    "machines alike.",
  where: "Destinations",
  onlySome: "Only allow calls to chosen destinations",
  onlySomeHint: "Applies to all calls and transfers. Contacts of campaigns elsewhere fail without a call.",
  destinations: "Allowed destinations",
  removeDestination: (name: string) => `Remove ${name}`,
  nowhere: "No destination is allowed. The account can't place calls or transfer them.",
  addOwn: (codes: string) => `Add ${codes}, the codes of your own numbers`,
  addDestination: "Add a destination",
  chooseDestination: "Choose a calling code",
  countries: (names: readonly string[]) =>
    names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", "),
  keeping: "How long calls and recordings are kept is set under Privacy.",
};
