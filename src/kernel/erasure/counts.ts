export const KINDS = [
  "calls",
  "conversations",
  "recordings",
  "carrier_recordings",
  "carrier_recordings_kept",
  "tool_runs",
  "contacts",
  "contact_attempts",
  "history_entries",
  "import_rows",
  "opt_outs",
  "mentions",
  "events",
  "audit_entries",
  "other_records",
] as const;
export type Kind = (typeof KINDS)[number];

export type Counts = Record<Kind, number>;

export const NONE: Readonly<Counts> = {
  calls: 0,
  conversations: 0,
  recordings: 0,
  carrier_recordings: 0,
  carrier_recordings_kept: 0,
  tool_runs: 0,
  contacts: 0,
  contact_attempts: 0,
  history_entries: 0,
  import_rows: 0,
  opt_outs: 0,
  mentions: 0,
  events: 0,
  audit_entries: 0,
  other_records: 0,
};

export function sumOf(a: Partial<Counts>, b: Partial<Counts>): Counts {
  return Object.assign({}, NONE, Object.fromEntries(KINDS.map((kind) => [kind, (a[kind] ?? 0) + (b[kind] ?? 0)])));
}

export function difference(after: Partial<Counts>, before: Partial<Counts>): Counts {
  return Object.assign(
    {},
    NONE,
    Object.fromEntries(KINDS.map((kind) => [kind, (after[kind] ?? 0) - (before[kind] ?? 0)])),
  );
}
