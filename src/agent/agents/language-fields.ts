import { z } from "@hono/zod-openapi";
import { NO_PHRASES } from "../../kernel/db/schema/index.ts";
import { template } from "../../kernel/http/fields.ts";
import { named } from "../../kernel/http/named-schemas.ts";
import { DEFAULT_LANGUAGE, languageNamed, whyNoLanguage } from "../speech/language.ts";

/** The maximum number of languages besides the first. */
const MAX_LANGUAGES = 4;
const MAX_KEY_TERMS = 100;
/**
 * The maximum number of characters of all key terms together, as carriers count them with a separator between two
 * terms.
 */
const MAX_KEY_TERMS_CHARS = 1_000;
const MAX_PHRASE_CHARS = 300;

/** A language tag in any spelling, stored in the canonical one. */
const language = z
  .string()
  .transform((written, context) => {
    const tag = languageNamed(written);
    if (tag !== null) return tag;
    context.addIssue({ code: "custom", message: whyNoLanguage(written) });
    return z.NEVER;
  })
  .openapi({ type: "string", maxLength: 35, example: "de-DE" });

const keyTerm = z
  .string()
  .trim()
  .min(1, "must not be empty")
  // Carriers receive the terms as one list separated by commas.
  .refine((term) => !/[,\p{Cc}]/u.test(term), "must be one word or name, without commas and control characters");

const phrase = (use: string, example: string) =>
  template(
    z
      .string()
      .trim()
      .min(1, "must not be empty: send null to restore the built-in sentence")
      .max(MAX_PHRASE_CHARS)
      .refine((text) => !/\p{Cc}/u.test(text), "must be one line, without control characters"),
  )
    .nullable()
    .openapi({ description: `${use} Null: the built-in sentence.`, example });

/** Creates a schema with a field for each sentence, from the sentence's use and an example. */
const phraseFields = <S extends z.ZodType>(phrase: (use: string, example: string) => S) => ({
  silence: phrase("Said to a silent caller, to ask whether they are there.", "Hallo, sind Sie noch am Apparat?"),
  apology: phrase("Said when the model fails.", "Da ist leider etwas schiefgegangen."),
  goodbye: phrase("Said before a call ends because the caller is silent.", "Ich höre Sie nicht mehr. Auf Wiederhören."),
  filler: phrase("Said during a wait (see `filler_after_ms`).", "Einen kleinen Moment, bitte."),
  budget: phrase("Said before a conversation ends because a budget is reached.", "Ich muss hier leider abbrechen."),
  unavailable: phrase("Said before a transfer because no model can answer.", "Ich verbinde Sie mit einem Kollegen."),
  no_answer: phrase("Said if the model's answer is empty.", "Das konnte ich leider nicht herausfinden."),
  filtered: phrase("Said if the model's provider filtered the answer.", "Dazu darf ich nichts sagen."),
  resumed: phrase("Said when a broken connection is restored.", "Entschuldigung, ich bin wieder da."),
  time_up: phrase("Said before a conversation ends at its maximum duration.", "Unsere Zeit ist um. Auf Wiederhören."),
});
const phrases = z.object(phraseFields(phrase));
/**
 * An agent's own sentences after their placeholders were filled in. A filled sentence may be empty or longer than the
 * limit.
 */
export const renderedPhrases = z.object(
  phraseFields((use, example) =>
    z
      .string()
      .nullable()
      .openapi({ description: `${use} Null: the built-in sentence.`, example }),
  ),
);
const phrasesDescription =
  "The agent's own sentences, which replace the built-in ones, each up to 300 characters, with `{{name}}` " +
  "filled in as in the prompt. They are spoken while the conversation is in `language`.";

export const languageFields = {
  language: language.openapi({
    description:
      "The language that conversations begin in (BCP 47, default `en-US`): of the carrier's speech recognition and " +
      "voice, the widget's, the built-in sentences, and `date`, `time` and `weekday` in texts. The model gets it " +
      "too.",
    example: "de-DE",
  }),
  languages: z
    .array(language)
    .max(MAX_LANGUAGES)
    .transform((tags) => [...new Set(tags)])
    .openapi({
      description:
        "Up to four more languages, to which the agent can change during a conversation by the built-in tool `set_language`.",
      example: ["en-GB", "tr-TR"],
    }),
  key_terms: z
    .array(keyTerm)
    .max(MAX_KEY_TERMS)
    .transform((terms) => [...new Set(terms)])
    .refine(
      (terms) => terms.join(",").length <= MAX_KEY_TERMS_CHARS,
      `must not have more than ${MAX_KEY_TERMS_CHARS.toLocaleString("en-US")} characters together`,
    )
    .openapi({
      description:
        "Names and words that callers use and speech recognition should expect, up to 100, with at most 1,000 characters in total.",
      example: ["Acme Dental", "Invisalign"],
    }),
  phrases: named("Phrases", "An agent's own sentences, which replace the built-in ones.", phrases).openapi({
    description: phrasesDescription,
  }),
};

export const newLanguageFields = {
  language: languageFields.language.default(DEFAULT_LANGUAGE),
  languages: languageFields.languages.default([]),
  key_terms: languageFields.key_terms.default([]),
  phrases: z
    .object(phraseFields((use, example) => phrase(use, example).default(null)))
    .default(NO_PHRASES)
    .openapi({ description: phrasesDescription }),
};

/** The phrases in a change: omitted ones stay as they are. */
export const phraseChanges = phrases.partial().openapi({ description: phrasesDescription });
