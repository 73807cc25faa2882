import type { AccountDisclosure, AgentDisclosure, Disclosure, DisclosureTexts } from "../../kernel/db/schema/index.ts";
import { render } from "../../kernel/rendering/render.ts";
import { subtagOf } from "../speech/language.ts";
import { builtInSentence } from "../speech/sentences.ts";

/** The language used if a language has no text. */
const FALLBACK = "en";

/** The beginning of a conversation: its agent, channel and language. */
interface Beginning {
  agent: AgentDisclosure;
  /** Whether the conversation is a phone call. */
  onCall: boolean;
  language: string;
  account_name: string;
}

/**
 * Returns the disclosure to say before a conversation begins; null if none is required. An agent's own sentences are
 * said on calls even if the account's disclosure is off.
 */
export function disclosureOf(
  account: AccountDisclosure,
  { agent, onCall, language, account_name }: Beginning,
): Disclosure | null {
  if (agent === "off") return null;
  const mode = agent !== "account" && account.mode === "off" ? "calls" : account.mode;
  if (mode === "off" || (mode === "calls" && !onCall)) return null;
  return disclosureText(textsOf(account, agent), language, account_name);
}

/** Checks whether the disclosure on the agent's calls is in a different language than the agent speaks. */
export function isDisclosedInAnother(account: AccountDisclosure, agent: AgentDisclosure, language: string): boolean {
  const said = disclosureOf(account, { agent, onCall: true, language, account_name: "" });
  return said !== null && subtagOf(said.language) !== subtagOf(language);
}

/** Returns the account's sentences. In each language that has a sentence of the agent's own, that one replaces it. */
function textsOf({ texts }: AccountDisclosure, agent: AgentDisclosure): DisclosureTexts {
  return typeof agent === "string" ? texts : Object.assign({}, texts, agent.texts);
}

/**
 * Returns the sentence in the language, otherwise in English, otherwise the built-in sentence of the language, with the
 * account's name filled in.
 */
export function disclosureText(texts: DisclosureTexts, language: string, account_name: string): Disclosure {
  const tag = tagFor(texts, language) ?? tagFor(texts, FALLBACK);
  const template = tag === undefined ? undefined : texts[tag];
  if (tag === undefined || template === undefined) return builtInSentence("disclosure", language);
  const { text } = render(template, new Map([["account_name", account_name]]));
  // A sentence that consists only of the account's name would be empty if the account has no name.
  return text.trim() === "" ? builtInSentence("disclosure", language) : { text: text.trim(), language: tag };
}

/** Returns the tag among the texts that is nearest to a language; undefined if none is in that language. */
function tagFor(texts: DisclosureTexts, language: string): string | undefined {
  const subtag = subtagOf(language);
  const tags = Object.keys(texts).filter((tag) => subtagOf(tag) === subtag);
  const within = tags.filter((tag) => language === tag || language.startsWith(`${tag}-`));
  return within.toSorted((a, b) => b.length - a.length)[0] ?? tags.toSorted()[0];
}
