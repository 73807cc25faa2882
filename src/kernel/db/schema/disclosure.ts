/** On which channels the account's agents disclose what they are before their first word. */
export const DISCLOSURE_MODES = ["off", "calls", "everywhere"] as const;

/** Sentences by language tag. */
export type DisclosureTexts = Record<string, string>;

export interface AccountDisclosure {
  mode: (typeof DISCLOSURE_MODES)[number];
  texts: DisclosureTexts;
}

export const NO_DISCLOSURE: AccountDisclosure = { mode: "off", texts: {} };

/** An agent's disclosure: the account's sentences, its own sentences, or none. */
export type AgentDisclosure = "account" | "off" | { texts: DisclosureTexts };

/** A sentence spoken before the first word, and its language tag. */
export interface Disclosure {
  text: string;
  language: string;
}
