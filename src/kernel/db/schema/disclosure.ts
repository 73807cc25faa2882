/** Where the account's agents say what they are before their first word. */
export const DISCLOSURE_MODES = ["off", "calls", "everywhere"] as const;

/** Sentences by the tag of their language. */
export type DisclosureTexts = Record<string, string>;

/** What the account's agents say of themselves. */
export interface AccountDisclosure {
  mode: (typeof DISCLOSURE_MODES)[number];
  texts: DisclosureTexts;
}

/** The disclosure of accounts that have not configured one. */
export const NO_DISCLOSURE: AccountDisclosure = { mode: "off", texts: {} };

/** What an agent says: what its account says, sentences of its own, or nothing. */
export type AgentDisclosure = "account" | "off" | { texts: DisclosureTexts };

/** A sentence that is said before the first word, and the tag of its language. */
export interface Disclosure {
  text: string;
  language: string;
}
