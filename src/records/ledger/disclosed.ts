/** How the disclosure was made, if it was required. */
export const DISCLOSED = ["spoken", "shown", "reported", "missing"] as const;
export type Disclosed = (typeof DISCLOSED)[number];
/** The states of a record's disclosure, including those where none was required. */
export const DISCLOSURES = [...DISCLOSED, "not_required"] as const;

export interface ProjectedDisclosure {
  /** When it was disclosed (ISO 8601, UTC); null if it was not. */
  at: string | null;
  /** The text of the disclosure; null if none was required. */
  text: string | null;
  how: (typeof DISCLOSURES)[number];
}

/** Returns the disclosure of a call or conversation; null while it is undecided. */
export function projectDisclosure({
  disclosure,
  disclosed,
  disclosed_at,
}: {
  disclosure: { text: string } | null;
  disclosed: Disclosed | null;
  disclosed_at: string | null;
}): ProjectedDisclosure | null {
  if (disclosure === null) return { at: null, text: null, how: "not_required" };
  return disclosed && { at: disclosed_at, text: disclosure.text, how: disclosed };
}
