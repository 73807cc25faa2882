import type { AnalysisCriterion, AnalysisField } from "../../../kernel/db/schema/index.ts";
import type { Verdict } from "../../../records/analysis/analysis.ts";
import { fold, holds } from "../../../records/analysis/fold.ts";
import type { Turn } from "../../../records/conversations/record.ts";
import type { Model, ModelPart } from "../models/model.ts";
import { rootsOf, spaced } from "../models/scripted/words.ts";
import { plain } from "./evidence.ts";
import { dateMentions, datesIn } from "./readings/dates.ts";
import { numberMentions } from "./readings/numbers.ts";
import { emailsIn, phonesIn, piecesOf } from "./readings/spelled.ts";
import type { Material } from "./request.ts";

/** A rule of thumb for English. */
const CHARS_PER_TOKEN = 4;
/** The most words, and characters, of an answer that is a text value as a whole. */
const MAX_ANSWER_WORDS = 12;
const MAX_ANSWER_CHARS = 200;

const YES =
  /^(?:yes|yeah|yep|sure|of course|correct|right|ok|okay|please do|certainly|absolutely|i do|i am|i have|it is)(?:\s|$)/;
const NO = /^(?:no|nope|nah|not really|never|i dont|im not|i havent|it isnt)(?:\s|$)/;
const DENIES = /^(?:not|no|never|un|failed|declined|rejected|refused)(?:_| |$)/;

/**
 * Returns the embedded analyst, used without a model. It needs no network or clock, and returns the same bytes for the
 * same conversation.
 */
export function scriptedAnalyst(material: Material): Model {
  return {
    name: "scripted",
    async *answer({ system, messages, signal }): AsyncGenerator<ModelPart> {
      signal.throwIfAborted();
      const text = JSON.stringify(claimsAbout(material));
      yield { type: "text", text };
      const read = messages.reduce((sum, message) => sum + message.text.length, system.length);
      const [input_tokens, output_tokens] = [read, text.length].map((chars) => Math.ceil(chars / CHARS_PER_TOKEN));
      yield { type: "usage", input_tokens: input_tokens ?? 0, cached_tokens: 0, output_tokens: output_tokens ?? 0 };
    },
  };
}

/** Returns its claims in the form of a model's answer. They are checked against the conversation like any others. */
function claimsAbout(material: Material) {
  const { settings } = material;
  return {
    summary: summaryOf(material),
    criteria: Object.fromEntries(settings.criteria.map((one) => [one.name, judged(material, one)])),
    data: Object.fromEntries(settings.data.map((field) => [field.name, looked(material, field)])),
  };
}

function summaryOf({ turns, disposition, end_reason }: Material): string {
  const count = (role: Turn["role"]) => turns.filter((turn) => turn.role === role).length;
  const tools = [...new Set(turns.flatMap(({ tool_call }) => (tool_call ? [tool_call.name] : [])))];
  const first = turns.find(({ role, text }) => role === "user" && text.trim() !== "")?.text.trim() ?? "";
  return [
    `The caller spoke ${times(count("user"))} and the agent ${times(count("agent"))}.`,
    ...(first === "" ? [] : [`It began with the caller's words: "${first.slice(0, 200).toWellFormed()}".`]),
    ...(tools.length === 0 ? [] : [`Tools used: ${tools.join(", ")}.`]),
    `Disposition: ${disposition ?? "none"}. Ended: ${end_reason ?? "unknown"}.`,
  ].join(" ");
}

const times = (n: number) => (n === 1 ? "once" : `${n} times`);

interface Answer {
  value: string | number | boolean | null;
  turns: number[];
}
const NOTHING: Answer = { value: null, turns: [] };

/** Judges a criterion: by a disposition that names it, otherwise as met if the agent's words or a tool name it. */
function judged({ turns, disposition }: Material, { name, instruction }: AnalysisCriterion) {
  const roots = rootsOf(spaced(name));
  const last = turns.findLast(({ role }) => role !== "user")?.seq;
  const ofDisposition = disposition === null ? [] : rootsOf(spaced(disposition));
  if (last !== undefined && disposition !== null && roots.some((root) => ofDisposition.includes(root))) {
    const verdict: Verdict = DENIES.test(disposition.toLowerCase()) ? "failure" : "success";
    return { verdict, rationale: `The disposition is ${disposition}.`, turns: [last] };
  }
  const wanted = [...new Set([...roots, ...rootsOf(instruction)])];
  const turn = turns.find((each) => {
    if (each.role === "user") return false;
    const spokenRoots = rootsOf(wordsIn(each));
    return (
      roots.length > 0 &&
      roots.every((root) => spokenRoots.includes(root)) &&
      wanted.some((root) => spokenRoots.includes(root))
    );
  });
  if (!turn) return { verdict: "unknown" as const, rationale: "Nothing names it.", turns: [] };
  return { verdict: "success" as const, rationale: `Turn ${turn.seq} names it.`, turns: [turn.seq] };
}

/**
 * Looks for a field's value in a turn that contains words of the field's name, or in the caller's answer to such a turn
 * of the agent. Otherwise, a number or day is the first one that the caller names.
 */
function looked(material: Material, field: AnalysisField): Answer {
  const { turns, day } = material;
  if (field.type === "choice") return chosen(turns, field.choices ?? []);
  const roots = new Set([...rootsOf(spaced(field.name)), ...rootsOf(field.description)]);
  const isNear = (turn: Turn) => rootsOf(wordsIn(turn)).some((root) => roots.has(root));
  for (const [i, turn] of turns.entries()) {
    const question = turns.slice(0, i).findLast(({ role }) => role === "agent");
    const isAnswer = turn.role === "user" && question !== undefined && isNear(question);
    if (!isAnswer && !isNear(turn)) continue;
    const value = valueIn(turn, field, { day, isAnswer });
    if (value !== null) return { value, turns: [turn.seq] };
  }
  return field.type === "number" || field.type === "date" ? firstOfType(material, field) : NOTHING;
}

/** Returns the first number or day that the caller names. */
function firstOfType({ turns, day }: Material, field: AnalysisField): Answer {
  for (const turn of turns) {
    const value = turn.role === "user" ? valueIn(turn, field, { day, isAnswer: false }) : null;
    if (value !== null) return { value, turns: [turn.seq] };
  }
  return NOTHING;
}

function valueIn(
  turn: Turn,
  field: AnalysisField,
  { day, isAnswer }: { day: string; isAnswer: boolean },
): Answer["value"] {
  const { type } = field;
  const text = wordsIn(turn);
  if (type === "number") return numberIn(text, day);
  if (type === "date") return datesIn(text, day).values().next().value ?? null;
  if (type === "boolean") {
    if (!isAnswer) return null;
    const folded = fold(text);
    return YES.test(folded) ? true : NO.test(folded) ? false : null;
  }
  return textIn(turn, text, field, isAnswer);
}

/** Returns the first number that is not part of a day, otherwise the first of all. */
function numberIn(text: string, day: string): number | null {
  const numbers = numberMentions(text).filter(({ isSure }) => isSure);
  const days = dateMentions(text, day);
  const own = numbers.find(({ from, to }) => !days.some((each) => from < each.to && each.from < to));
  return (own ?? numbers[0])?.values[0] ?? null;
}

function textIn(turn: Turn, text: string, { name, description }: AnalysisField, isAnswer: boolean): string | null {
  const roots = new Set([...rootsOf(spaced(name)), ...rootsOf(description)]);
  const isAsked = (words: string[]) => words.some((word) => rootsOf(word).some((root) => roots.has(root)));
  const [email] = isAsked(["email", "mail"]) ? emailsIn(piecesOf(text)) : [];
  if (email !== undefined) return email.values[0] ?? null;
  const [phone] = isAsked(["phone", "telephone"]) ? phonesIn(piecesOf(text)).toReversed() : [];
  if (phone !== undefined) return `${phone.isInternational ? "+" : ""}${phone.values[0] ?? ""}`;
  const is = new RegExp(`\\b${spaced(name).replaceAll(" ", "\\s+")}\\s*(?:is|are|was|:)\\s*(?=\\S)`, "i").exec(text);
  const named = is === null ? "" : untilSentenceEnds(text.slice(is.index + is[0].length));
  if (named !== "") return named;
  const whole = text.slice(0, MAX_ANSWER_CHARS + 1).trim();
  const isShort = whole.length <= MAX_ANSWER_CHARS && whole.split(/\s+/).length <= MAX_ANSWER_WORDS;
  return isAnswer && isShort && turn.role === "user" ? whole.replace(/[.!?]+$/, "") : null;
}

/**
 * Returns the words up to the end of their clause: a mark before a space, or the end of the text. A mark inside a word
 * does not end it.
 */
function untilSentenceEnds(text: string): string {
  const start = text.slice(0, MAX_ANSWER_CHARS);
  const end = start.search(/\n|[.,;!?]+(?:\s|$)/);
  return (end === -1 ? start : start.slice(0, end)).trim();
}

/** Returns the choice that the caller named last; if the caller named none, the last one that any speaker named. */
function chosen(turns: readonly Turn[], choices: readonly string[]): Answer {
  const mentions = turns.flatMap((turn) => {
    const text = fold(wordsIn(turn));
    return choices.filter((choice) => holds(text, fold(choice))).map((value) => ({ value, turn }));
  });
  const last = mentions.findLast(({ turn }) => turn.role === "user") ?? mentions.at(-1);
  return last ? { value: last.value, turns: [last.turn.seq] } : NOTHING;
}

function wordsIn({ text, tool_call }: Turn): string {
  return tool_call === null ? text : plain(tool_call.result);
}
