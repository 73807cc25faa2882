/** How it was said what an agent is, where that was required. */
export const DISCLOSED = ["spoken", "shown", "reported", "missing"] as const;
export type Disclosed = (typeof DISCLOSED)[number];
/** The same for records, with those where nothing had to be said. */
export const DISCLOSURES = [...DISCLOSED, "not_required"] as const;

/** What a record says of the disclosure; null while that is not decided. */
export interface DisclosedView {
  /** When it was said (ISO 8601, UTC); null if it was not. */
  at: string | null;
  /** What was said, or should have been; null if nothing had to be. */
  text: string | null;
  how: (typeof DISCLOSURES)[number];
}

/** What the record of a call or a conversation says of the disclosure; null while that is not decided. */
export function disclosedView({
  disclosure,
  disclosed,
  disclosed_at,
}: {
  disclosure: { text: string } | null;
  disclosed: Disclosed | null;
  disclosed_at: string | null;
}): DisclosedView | null {
  if (disclosure === null) return { at: null, text: null, how: "not_required" };
  return disclosed && { at: disclosed_at, text: disclosure.text, how: disclosed };
}
