import { DEFAULT_LANGUAGE } from "../../agent/speech/language.ts";
import { builtInSentence } from "../../agent/speech/sentences.ts";
import type { phoneNumbers } from "../../kernel/db/schema/index.ts";
import type { CallerCap, CallRefusal, RefusalCause } from "../call-limits/call-caps.ts";
import type { CallObstacle } from "../calls/call-obstacles.ts";
import type { SpokenText } from "../carriers/carrier.ts";

type Dialled = Pick<typeof phoneNumbers.$inferSelect, "provider" | "credentials_id" | "inbound_enabled"> | undefined;

/** What rejected callers hear, by the names of the built-in sentences. */
const SORRY = {
  unknown_number: "not_in_service",
  inbound_disabled: "takes_no_calls",
  no_agent: "nobody_available",
  no_model: "nobody_available",
  not_connected: "nobody_available",
  at_capacity: "lines_busy",
} as const;
export type Refusal = keyof typeof SORRY;

/** Returns the sentence that a rejected caller hears, in the language of the number's agent. */
export function sorry({ refusal, language = DEFAULT_LANGUAGE }: Pick<TurnedAway, "refusal" | "language">): SpokenText {
  return builtInSentence(SORRY[refusal], language);
}

/** The decision not to connect a caller. At capacity, it names the limit that is reached, and until when (ms). */
export interface TurnedAway {
  refusal: Refusal;
  /** The language of the number's agent (BCP 47); absent if it has none. */
  language?: string | undefined;
  full?: CallRefusal<RefusalCause | CallerCap>;
}

/** Returns why a number does not take a call that came through these credentials; null if it does. */
export function numberRefusal(
  number: Dialled,
  by: { provider: string; credentials_id: string | null },
): Refusal | null {
  // A carrier may announce calls only to its own numbers.
  const theirs =
    number?.provider === by.provider && (by.credentials_id ?? number.credentials_id) === number.credentials_id;
  if (!number || !theirs) return "unknown_number";
  return number.inbound_enabled ? null : "inbound_disabled";
}

/** Returns why a caller is refused whose agent may not take the call. */
export function obstacleRefusal({ code }: CallObstacle): Refusal {
  return code === "no_model" ? "no_model" : "no_agent";
}
