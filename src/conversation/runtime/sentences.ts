/** The sentences that the service itself puts into an agent's mouth, by what they are for. */
export interface Sentences {
  /** Asks a silent caller whether they are there. */
  silence: string;
  /** Says that no answer will come. */
  apology: string;
  /** Ends a call whose caller no longer speaks. */
  goodbye: string;
  /** Fills a wait. */
  filler: string;
  /** Ends a conversation whose budget is reached. */
  budget: string;
  /** Announces a transfer where no model can answer. */
  unavailable: string;
  /** Stands for an answer without any words. */
  no_answer: string;
  /** Stands for an answer that the model's provider filtered. */
  filtered: string;
  /** Goes on after a broken connection. */
  resumed: string;
  /** Ends a conversation at its maximum duration. */
  time_up: string;
}

/** Sentences by language subtag (BCP 47). */
const SENTENCES = {
  en: {
    silence: "Are you still there?",
    apology: "I am sorry, something went wrong on our side. Please try again later.",
    goodbye: "I cannot hear you, so I will end the call. Goodbye.",
    filler: "One moment, please.",
    budget: "I am sorry, I cannot go on with this conversation right now. Please try again later.",
    unavailable: "I am sorry, I cannot help you any further myself. I am connecting you to somebody who can.",
    no_answer: "I am sorry, I could not find that out.",
    filtered: "I am sorry, I cannot talk about that.",
    resumed: "Sorry, the line dropped for a moment. I am back.",
    time_up: "I am sorry, we have reached the end of our time. Goodbye.",
  },
} satisfies Record<string, Sentences>;

/** The language of agents that name none. */
export const DEFAULT_LANGUAGE = "en";

/** Returns the built-in sentences in a language (BCP 47), or in English if there are none. */
export function sentencesIn(language: string): Sentences {
  const [subtag = ""] = language.toLowerCase().split("-");
  return Object.entries(SENTENCES).find(([known]) => known === subtag)?.[1] ?? SENTENCES.en;
}
