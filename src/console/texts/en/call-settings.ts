/** How all calls and conversations of the account are held and kept. */
export const callSettings = {
  title: "Call settings",
  lead: "How the account’s calls are held and what is kept of them. Changes hold for calls that begin afterwards.",
  saved: "The call settings are saved.",
  recording: "Recording",
  recordOutbound: "Record calls that go out",
  recordOutboundHint: "A campaign or a single call can say otherwise.",
  recordInbound: "Record calls that come in",
  recordInboundHint: "From the moment the agent answers.",
  announcement: "Announcement",
  announcementHint:
    "The carrier speaks it at the beginning of each recorded call, before the agent says a word. Many countries require one. Leave it empty for none.",
  announcementPlaceholder: "This call is recorded.",
  dialling: "Calling",
  ring: "Let the phone ring for (seconds)",
  ringHint: "From 10 to 120. After that the call counts as not answered.",
  reserve: "Keep free for calls that come in",
  reserveHint:
    "So many of the calls that may go on at once are never given to campaigns, from 0 to 50. Empty: one where the cap is 10 or more, else none. Campaigns always keep one.",
  voicemail: "When a machine answers",
  voicemailHint: "For single calls, unless the call says otherwise. Campaigns have their own setting.",
  voicemails: {
    hang_up: "Hang up",
    leave_message: "Leave the greeting as a message",
    continue: "Let the agent talk to it",
    off: "Do not listen for machines",
  },
  voicemailCost:
    "Most carriers charge for each call on which they listen for machines. If they do not listen, the agent talks to whoever or whatever answers.",
  keeping: "Keeping",
  retention: "Delete conversations after (days)",
  retentionHint: "From the day they began, 1 to 3,650. Empty: they are kept for good.",
  shorterTitle: "Delete older conversations?",
  shorterBody: (days: string) =>
    `What was said in conversations that began more than ${days} ago is deleted within the hour. This cannot be undone.`,
  shorterVerb: "Save and delete",
  day: "day",
  days: "days",
};
