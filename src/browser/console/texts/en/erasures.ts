/** Texts about erasing a person. */
export const erasures = {
  title: "Erase a person",
  lead:
    "Erases a person everywhere in the account, for good. Every request leaves a receipt that doesn't name the " +
    "person.",
  erase: "Erase this person",
  one: "Erasure",
  begun: "The person's data is being erased.",
  emptyTitle: "No requests yet",
  empty: "When a person asks you to erase their data, do it here.",
  number: (end: string) => `Number ${end}`,
  subjects: {
    phone_number: "Phone number",
    visitor_id: "Visitor",
    conversation_id: "Conversation",
  },
  statuses: { pending: "In progress", complete: "Complete" },
  columns: {
    person: "Person",
    status: "Status",
    conversations: "Conversations",
    calls: "Calls",
    requested: "Requested",
  },
  completed: "Completed",
  id: "ID",
  form: {
    lead: "This can't be undone.",
    by: "Find the person by",
    hints: {
      phone_number: "In international form: +12025550143.",
      visitor_id:
        "The visitor's ID as shown in conversations. For identified users of your site, the ID that your server set.",
      conversation_id: "Only this conversation and its call are erased.",
    },
    goes:
      "A live call is hung up. Conversations, transcripts and recordings are deleted, here and at the carrier. " +
      "Calls, contacts, logs and audit entries stay without the number. A number on the do-not-call list is still " +
      "refused.",
    verb: "Erase this person…",
    sureTitle: "Erase this person?",
    sureBody: (who: string) => `Everything about ${who} will be erased for good. This can't be undone.`,
  },
  pending: "This takes seconds to hours. You can leave this page.",
  erased: "What was erased",
  nothing: "Nothing was found.",
  nothingYet: "Nothing so far.",
  keptByCarrier:
    "A carrier still has recordings: it refuses to delete them, or its credentials were deleted here. Delete them there.",
  kinds: {
    conversations: "Conversations",
    calls: "Calls, number masked",
    recordings: "Recordings",
    carrier_recordings: "Recordings at the carrier",
    carrier_recordings_kept: "Recordings that the carrier still has",
    tool_runs: "Tool runs",
    contacts: "Contacts of campaigns",
    contact_attempts: "Attempts to call them",
    history_entries: "Entries of campaign histories",
    import_rows: "Skipped or repeated rows of uploads",
    opt_outs: "Opt-outs, kept without the number",
    mentions: "Mentions in others' records",
    events: "Events",
    audit_entries: "Audit entries",
    other_records: "Other records",
  },
  restore: "What a restore could bring back",
  restoreBody:
    "The operator can restore data to any point in the last 30 days. Only such a restore could bring back what was erased, " +
    "and only until:",
  stores: { database: "Database", objects: "Account stores" },
  days: (days: string) => `${days} days after completion`,
};
