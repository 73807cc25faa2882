export interface KeyLimits {
  turns_per_conversation: number | null;
  conversations_per_visitor_day: number | null;
  tokens_per_day: number | null;
}

export const DEFAULT_KEY_LIMITS: KeyLimits = {
  turns_per_conversation: 60,
  conversations_per_visitor_day: 20,
  tokens_per_day: 5_000_000,
};

/**
 * The number of conversations per day for all guests of one network together, because a guest can take a new identity
 * at any time.
 */
export const CONVERSATIONS_PER_NETWORK_DAY = 200;

/**
 * The number of characters per day (UTC) that agents' own voices speak to one visitor, and through one widget key.
 * Guests may use half of the key's.
 */
export const SPEECH_PER_VISITOR_DAY = 40_000;
export const SPEECH_PER_KEY_DAY = 200_000;
export const GUESTS_SPEECH_PER_KEY_DAY = SPEECH_PER_KEY_DAY / 2;

/** Returns the limits of a key from the account's own settings, in which null removes a limit. */
export function limitsOf(set: Record<string, number | null>): KeyLimits {
  const names = Object.keys(DEFAULT_KEY_LIMITS) as (keyof KeyLimits)[];
  const entries = names.map((name) => [name, name in set ? set[name] : DEFAULT_KEY_LIMITS[name]]);
  return Object.fromEntries(entries) as KeyLimits;
}
