import { z } from "@hono/zod-openapi";
import { type AgentDisclosure, DISCLOSURE_MODES, type DisclosureTexts } from "../../kernel/db/schema/index.ts";
import { canonicalJson } from "../../kernel/http/canonical-json.ts";
import { requireScopes } from "../../kernel/http/require-scopes.ts";
import type { Authority } from "../../kernel/scopes.ts";
import { languageNamed } from "../speech/language.ts";

/** The maximum length of a sentence, characters. Callers hear it before every conversation. */
const MAX_DISCLOSURE_CHARS = 300;
/** The maximum number of languages: more than carriers have voices for. */
const MAX_LANGUAGES = 100;
const ACCOUNT_NAME = /\{\{\s*account_name\s*\}\}/g;

const sentence = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(MAX_DISCLOSURE_CHARS)
  .refine((text) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text), "must not contain control characters or line breaks")
  .refine(
    (text) => !/\{\{|\}\}/.test(text.replace(ACCOUNT_NAME, "")),
    "must have no placeholder other than {{account_name}}",
  );

/** The sentences by language. The tags are canonical and sorted. */
const texts = z
  .record(z.string(), sentence)
  .transform((given, context): DisclosureTexts => {
    const named = Object.entries(given).map(([written, text]) => [written, languageNamed(written), text] as const);
    const tags = named.map(([, tag]) => tag);
    for (const [at, [written, tag]] of named.entries()) {
      const message =
        tag === null
          ? "must be the BCP 47 tag of a language such as de-DE"
          : tags.indexOf(tag) < at && "must not name a language twice";
      if (message) context.addIssue({ code: "custom", path: [written], message });
    }
    if (named.length > MAX_LANGUAGES)
      context.addIssue({ code: "custom", message: `must have ${MAX_LANGUAGES} languages at most` });
    const valid = named.flatMap(([, tag, text]) => (tag === null ? [] : [[tag, text] as const]));
    return Object.fromEntries(valid.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  })
  .openapi({
    type: "object",
    additionalProperties: { type: "string", maxLength: MAX_DISCLOSURE_CHARS },
    description:
      "The sentence by language (BCP 47): plain text of up to 300 characters each, with `{{account_name}}` as the only " +
      "placeholder. A language without a text falls back to English, and without an English one to a built-in sentence in the " +
      "agent's language.",
    example: { en: "You are talking to an AI assistant of {{account_name}}." },
  });

const mode = z.enum(DISCLOSURE_MODES).openapi({
  description:
    "Where agents make the disclosure: nowhere (`off`, the default), on `calls`, or `everywhere`, including the " +
    "widget and tests.",
  example: "calls",
});

const description =
  "The disclosure that agents make before their first word. On calls, the carrier speaks it before any runtime " +
  "is connected, so no greeting, version, interruption or reconnection can remove it. Voicemail messages begin " +
  "with it.";

export const accountDisclosure = z.object({ mode, texts }).openapi({ description });

/** The settings in a change: omitted fields stay as they are. */
export const disclosureChanges = accountDisclosure.partial().openapi({ description });

export const agentDisclosure = z.union([z.enum(["account", "off"]), z.object({ texts })]).openapi({
  description:
    "The agent's disclosure before its first word: that of the account's call settings (`account`, the default), " +
    "the agent's own sentences, which replace the account's for each language and are said on calls even if the " +
    "account's disclosure is off, or none (`off`). It is not part of versions: the current value applies. Any " +
    "change except back to `account` needs `manage`.",
  example: "account",
});

/** Refuses callers without `manage` who change an agent's disclosure to anything but `account`. @throws ApiError 403 */
export function assertMayDisclose(
  caller: Authority,
  before: AgentDisclosure,
  after: AgentDisclosure | undefined,
): void {
  if (after === undefined || after === "account" || canonicalJson(before) === canonicalJson(after)) return;
  requireScopes(caller, ["manage"]);
}
