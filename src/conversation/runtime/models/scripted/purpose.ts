import type { SessionSnapshot } from "../../session/session.ts";
import { cut, plain } from "./words.ts";

/** What a first sentence begins with that tells a role, and how the agent says it of itself. */
const OPENINGS: [RegExp, string][] = [
  [/^you are /i, "I am "],
  [/^you're /i, "I am "],
  [/^you (?=(?:call|help|answer|take|book|welcome|look after|support|sell|work|assist|handle)\b)/i, "I "],
  [/^your (?:job|task|role|purpose) is to /i, "I am here to "],
];
/** What a role has no need of: codes, addresses, placeholders, and what is said to be kept. */
const NOT_SPOKEN =
  /\d{3}|https?:|www\.|[@{}<>`|\\=_#*[\]]|\b(?:secret|password|passcode|pin|key|token|code|confidential|internal|never|do not|don't|must|prompt|instructions?|api)\b/i;
const MAX_CHARS = 180;

/**
 * What the agent is for, in its own words: the prompt's first sentence where that only tells a role. Nothing else of the
 * prompt is ever spoken, whoever asks. Null where the sentence is no such one.
 */
export function purposeOf(prompt: string): string | null {
  const sentence = roleSentence(prompt);
  if (sentence === null) return null;
  const opening = OPENINGS.find(([form]) => form.test(sentence));
  if (!opening) return null;
  const own = sentence
    .replace(opening[0], opening[1])
    .replace(/\byou are\b/gi, "I am")
    .replace(/\byours\b/gi, "mine")
    .replace(/\byour\b/gi, "my")
    .replace(/\byou\b/gi, "I");
  return own;
}

/** Who is speaking: the agent's name, and whose it is where a variable or the role says so. */
export function nameOf({ agent, variables }: SessionSnapshot): { agent: string; company: string | null } {
  const said = Object.entries(variables).find(([name, value]) => plain(name) === "account name" && value.trim() !== "");
  const role = roleSentence(agent.system_prompt) ?? "";
  const named =
    /\b(?:at|for|of|from|behalf of) ((?:\p{Lu}[\p{L}\p{N}&'’-]{0,30})(?: (?:\p{Lu}[\p{L}\p{N}&'’-]{0,30}|&|and)){0,4})/u;
  const company = said?.[1] ?? named.exec(role)?.[1]?.replace(/ (?:and|&)$/, "") ?? null;
  return { agent: cut(agent.name.trim(), 80), company: company === null ? null : cut(company.trim(), 80) };
}

function roleSentence(prompt: string): string | null {
  const first = prompt.slice(0, 1_000).trim().split("\n", 1)[0] ?? "";
  const sentence = /^.*?[.!?](?=\s|$)/.exec(first)?.[0] ?? (first.length < MAX_CHARS ? `${first}.` : "");
  return sentence.length > 8 && sentence.length <= MAX_CHARS && !NOT_SPOKEN.test(sentence) ? sentence : null;
}
