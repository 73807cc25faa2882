/** Texts for how long records are kept. */
export const privacy = {
  title: "Privacy",
  lead: "How long records are kept. Each agent's settings decide what is stored from its conversations.",
  saved: "Privacy settings saved",
  keeping: "Delete after (days)",
  forever: "Leave empty to keep them forever.",
  empty: {
    conversations_days: "Forever",
    recordings_days: "Forever",
    calls_days: "Forever",
    events_days: "30",
    audit_days: "Forever",
  },
  fields: {
    conversations_days: "Conversations",
    recordings_days: "Recordings",
    calls_days: "Calls",
    events_days: "Events",
    audit_days: "Audit log",
  },
  hints: {
    conversations_days: "With their transcripts, counted from the day they started, 1 to 3,650.",
    recordings_days: "1 to 3,650.",
    calls_days: "1 to 3,650. Statistics and usage stay, because they contain no person.",
    events_days: "1 to 30. Leave empty for 30.",
    audit_days: "90 to 3,650.",
  },
  shorterTitle: "Delete older records?",
  shorterBody: (names: string) => `Older records will be permanently deleted: ${names}. This can't be undone.`,
  shorterVerb: "Save and delete",
};
