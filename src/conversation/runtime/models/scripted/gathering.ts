import type { ModelTool } from "../model.ts";
import { answerFor, findArguments, isText, type Source, topicOf } from "./arguments.ts";
import { isQuestion } from "./intents.ts";
import { type Finding, spaced, topicRoots } from "./knowledge.ts";
import { type Answer, BUILT_IN, becomes, type Gathering, offerPerson, type Scene, type State, speak } from "./scene.ts";
import { type Argument, argumentsOf } from "./schema.ts";
import { isCommonWord, isFunctionWord, listed, stem, wordsOf } from "./words.ts";

/** A tool that the words name, with what they say for it. */
export interface NamedTool {
  tool: ModelTool;
  wanted: Argument[];
  args: Map<string, unknown>;
  /** Whether all that the tool requires was said. */
  whole: boolean;
  /** Whether the words have the tool's whole name. */
  byName: boolean;
}

/** Most tools that are considered, and how often one asks for the same argument. */
const MOST_TOOLS = 100;
const MOST_MISSES = 2;

/** The tool that the words name; null where they name none. `about` is what the agent knows of the matter. */
export function namedTool(scene: Scene, text: string, about: Finding | undefined): NamedTool | null {
  const words = wordsOf(text);
  const joined = words.slice(1).map((word, i) => `${words[i]}${word}`);
  const said = new Set([...words, ...joined].filter((word) => !isFunctionWord(word)).map(stem));
  const source = sourceOf(scene, text);
  let best: { named: NamedTool; score: number } | null = null;
  for (const tool of scene.tools.slice(0, MOST_TOOLS)) {
    if (BUILT_IN.has(tool.name) || scene.called.has(tool.name)) continue;
    const score = nameScore(tool, said, about);
    if (score === null) continue;
    const wanted = argumentsOf(tool);
    if (!wanted || (best && score.value <= best.score)) continue;
    const args = findArguments(wanted, source);
    const required = wanted.filter((one) => one.required);
    const [only] = required;
    if (only && required.length === 1 && !args.has(only.name)) {
      const topic = topicOf(source.text, wordsOf(spaced(tool.name)), only.kind);
      if (topic !== undefined) args.set(only.name, topic);
    }
    const whole = required.every(({ name }) => args.has(name));
    if (score.sure || (whole && required.length > 0)) {
      best = { named: { tool, wanted, args, whole, byName: score.byName }, score: score.value };
    }
  }
  return best?.named ?? null;
}

/** How well the words name a tool: by all of its name, by a part of it and of its description, or by a playbook. */
function nameScore(tool: ModelTool, said: Set<string>, about: Finding | undefined) {
  const words = wordsOf(spaced(tool.name)).filter((word) => !isFunctionWord(word));
  const roots = words.map(stem);
  const named = roots.filter((root) => said.has(root));
  // Words as common as "get" name nothing alone.
  const telling = words.some((word, i) => said.has(roots[i] ?? "") && !isCommonWord(word));
  const described = new Set(topicRoots(tool.description.slice(0, 1_000)).filter((root) => !roots.includes(root)));
  const hits = [...described].filter((root) => said.has(root)).length;
  const share = roots.length === 0 ? 0 : named.length / roots.length;
  const byName = share === 1 && (telling || roots.length > 1);
  const byPlaybook = about?.kind === "playbook" && telling && about.content.includes(`\`${tool.name}\``);
  const byDescription = hits >= 3 || (hits >= 2 && hits / described.size >= 0.4);
  if (!byName && !telling && !byDescription) return null;
  const sure = byName || byDescription || byPlaybook || (telling && hits >= 1 && share >= 0.5);
  if (!sure && share < 0.5) return null;
  return { value: 3 * share + (telling ? 1 : 0) + hits / 2 + (byPlaybook ? 1 : 0), sure, byName };
}

/** Calls the tool, or asks for the first argument that is missing. */
export function begin({ tool, wanted, args }: NamedTool, state: State): Answer {
  const [first, ...others] = wanted.filter(({ name, required }) => required && !args.has(name));
  if (!first) return call(tool, args, state);
  const what = `To ${spaced(tool.name)} I need`;
  const say =
    others.length === 0
      ? `${what} the ${first.label}. ${isText(first.kind) ? "What is it?" : questionFor(first)}`
      : `${what} ${listed([first, ...others].map(({ label }) => `the ${label}`))}. First: ${questionFor(first)}`;
  return speak(waiting(state, { tool: tool.name, args, asked: first.name, misses: 0 }), say);
}

/** Takes the caller's words for the argument that was asked for; null where the tool is offered no more. */
export function goOn(
  scene: Scene,
  state: State,
  gathering: Gathering,
  text: string,
  isYesOrNo: boolean,
): Answer | null {
  const tool = scene.tools.find(({ name }) => name === gathering.tool);
  const wanted = tool && !scene.called.has(tool.name) ? argumentsOf(tool) : null;
  const asked = wanted?.find(({ name }) => name === gathering.asked);
  if (!tool || !wanted || !asked) return null;
  const source = sourceOf(scene, text);
  const args = new Map(gathering.args);
  // A yes, or a question, is no name and no reference.
  const isOther = isYesOrNo || NOT_KNOWN.test(text) || (isQuestion(text) && asked.kind.of !== "prose");
  const named = findArguments(
    wanted.filter(({ name }) => !args.has(name)),
    source,
  );
  const answered = named.get(asked.name) ?? (isText(asked.kind) && isOther ? undefined : answerFor(asked, source));
  for (const [name, value] of named) args.set(name, value);
  if (answered !== undefined) args.set(asked.name, answered);
  const missing = wanted.find(({ name, required }) => required && !args.has(name));
  if (!missing) return call(tool, args, state);
  if (missing.name !== asked.name) {
    const say = `Thank you. ${questionFor(missing)}`;
    return speak(waiting(state, { tool: tool.name, args, asked: missing.name, misses: 0 }), say);
  }
  if (gathering.misses + 1 >= MOST_MISSES) {
    const [question, next] = offerPerson(scene);
    const say = `I am sorry, without the ${asked.label} I cannot ${spaced(tool.name)}. ${question}`;
    return speak(becomes(state, { gathering: null, asked: next }), say);
  }
  const hint = asked.description === "" ? "" : ` (${asked.description.slice(0, 120).replace(/[.\s]+$/, "")})`;
  const say = `I did not catch that. I need the ${asked.label}${hint}${EXAMPLES[asked.kind.of] ?? ""}. What is it?`;
  return speak(waiting(state, { tool: tool.name, args, asked: asked.name, misses: gathering.misses + 1 }), say);
}

/** Calls the account's tool that was called last once more; null where there is none, or it is offered no more. */
export function retry(scene: Scene, state: State): Answer | null {
  const tool = scene.tools.find(({ name }) => name === state.lastUse?.name);
  return tool && state.lastUse ? call(tool, new Map(Object.entries(state.lastUse.args)), state) : null;
}

/** Whether what is asked for may well be a question: what the caller wants searched, or said to somebody. */
export const takesProse = (scene: Scene, gathering: Gathering): boolean =>
  askedOf(scene, gathering)?.kind.of === "prose";

function askedOf(scene: Scene, { tool, asked }: Gathering): Argument | undefined {
  const offered = scene.tools.find(({ name }) => name === tool);
  return offered && argumentsOf(offered)?.find(({ name }) => name === asked);
}

/** The question that is open, said again after something else. */
export function askAgain(scene: Scene, gathering: Gathering): string {
  const argument = askedOf(scene, gathering);
  return argument ? `Back to your request. ${questionFor(argument)}` : "";
}

function questionFor({ label, kind }: Argument): string {
  if (kind.of === "boolean") return `The ${label}: yes or no?`;
  const choices = kind.of === "choice" && kind.values.length <= 6 ? kind.values.map((one) => spaced(String(one))) : [];
  const asked = /[^s]s$/.test(label) ? `What are the ${label}` : `What is the ${label}`;
  return choices.length === 0 ? `${asked}?` : `${asked}: ${listed(choices, "or")}?`;
}

/** Whoever says this has no answer. */
const NOT_KNOWN = /\b(?:don['’]?t|do not) (?:have|know|remember)\b|\bno idea\b|\bnot sure\b/i;

const EXAMPLES: Partial<Record<Argument["kind"]["of"], string>> = {
  phone: ", with the country code, like +15550100123",
  date: ", like 2026-12-01",
  moment: ", with day and time, like 2026-12-01 14:30",
  email: ", like name@example.com",
  number: ", as a number",
  boolean: ": yes or no",
};

const waiting = (state: State, gathering: Gathering): State => becomes(state, { gathering, asked: null });

function call(tool: ModelTool, args: ReadonlyMap<string, unknown>, state: State): Answer {
  const uses = [{ name: tool.name, args: Object.fromEntries(args) }];
  return speak(becomes(state, { gathering: null, asked: null, lastUse: uses[0] ?? null }), "One moment, please.", uses);
}

function sourceOf({ snapshot }: Scene, text: string): Source {
  const { call: phone, variables } = snapshot;
  const callerNumber = phone === null ? null : phone.direction === "inbound" ? phone.from_number : phone.to_number;
  const named = new Map(Object.entries(variables).map(([name, value]) => [spaced(name), value]));
  return { text, variables: named, callerNumber };
}
