import type { SessionSnapshot } from "../../session/session.ts";
import type { ModelTool } from "../model.ts";
import {
  type Argument,
  answerFor,
  argumentsOf,
  choicesOf,
  findArguments,
  requiredOf,
  type Source,
} from "./arguments.ts";
import type { Finding, Knowledge } from "./knowledge.ts";
import { EXAMPLES, NOT_KNOWN, QUESTION_WORDS, SAYS, SIGNS, TIME_WORDS } from "./phrases.ts";
import { readOut, reasonOf, type ToolOutcome } from "./results.ts";
import { BUILT_IN, type NamedTool, namedTool } from "./tools.ts";
import { cut, fill, firstSentences, listed, spaced, wordsOf } from "./words.ts";

/** A tool the agent wants used. */
export interface Use {
  name: string;
  args: Record<string, unknown>;
}

/** What the conversation has come to: everything that a next answer depends on but the words it answers. */
export interface State {
  /** A tool whose arguments are being asked for: the one asked for, and how often it was not understood. */
  gathering: { tool: string; args: ReadonlyMap<string, unknown>; asked: string; misses: number } | null;
  /** A question of the agent's that a yes or no answers. */
  question: "greeting" | "pitch" | "more" | "person" | "callback" | null;
  /** How often nothing fitted. */
  misses: number;
  /** Whether something was answered or done. */
  helped: boolean;
  /** What was answered last, by name. */
  told: string | null;
  lastUse: Use | null;
  /** What to say once the tools of this turn have run. */
  next: string;
}

/** What the agent says and does in one go, and what that leaves behind. */
export interface Answer {
  say: string;
  uses: Use[];
  state: State;
}

/** What an answer may go by. */
export interface Scene {
  snapshot: SessionSnapshot;
  knowledge: Knowledge;
  tools: ModelTool[];
  /** Names of those called since the caller's last words: none is called twice. */
  called: ReadonlySet<string>;
  /** The last outcome that was set. */
  disposition: string | null;
}

const ANSWER_CHARS = 320;
/** Fewer words are a heading, and no answer. */
const ANSWER_WORDS = 5;
/** Share of an FAQ's title, or its score, from which it goes before a tool; half will do in the middle of something else. */
const TITLE_SAID = 0.75;
const ASIDE_TITLE_SAID = 0.5;
const FITS_WELL = 3;
const MAX_MISSES = 2;

/** How a conversation begins. */
export const beginning = (greeting: string): State => ({
  gathering: null,
  question: greeting.trim() === "" ? null : "greeting",
  misses: 0,
  helped: false,
  told: null,
  lastUse: null,
  next: "",
});

/** What is said and done about a caller's words. */
export function respond(scene: Scene, before: State, text: string): Answer {
  const intent = intentOf(text);
  const wish = toWish(scene, before, intent);
  if (wish) return wish;
  const on = before.gathering && goOn(scene, before, before.gathering, text, intent === "yes" || intent === "no");
  if (on) return on;
  const state = to(before, { gathering: null });
  return toReply(scene, state, intent) ?? toMatter(scene, state, text);
}

/** What is said and done once tools have run. */
export function afterTools(scene: Scene, state: State, outcomes: ToolOutcome[]): Answer {
  const of = (name: string) => outcomes.find((outcome) => outcome.name === name);
  const [optOut, transfer] = [of("opt_out"), of("transfer_call")];
  if (optOut) return end(scene, state, optOut.ok ? SAYS.optedOut : SAYS.optOutFailed, "opted_out");
  if (transfer?.ok) return speak(to(state, { helped: true }), SAYS.transferred);
  if (transfer) return callBack(scene, state, SAYS.notReached);
  const own = outcomes.filter(({ name }) => !BUILT_IN.has(name));
  const failed = own.find(({ ok }) => !ok);
  if (failed) {
    const reason = reasonOf(failed.value);
    const values = {
      tool: spaced(failed.name),
      callback: says(scene, SAYS.callback),
      reason: reason && fill(SAYS.reason, { reason }),
    };
    return speak(to(state, { question: "callback" }), fill(SAYS.failed, values));
  }
  if (own.length === 0) return speak(state, of("end_call") || state.next === "" ? SAYS.over : state.next);
  const results = own
    .map(({ value }) => readOut(value))
    .filter((one) => one !== "")
    .join(" ");
  const say = results === "" ? SAYS.done : fill(SAYS.results, { results });
  return speak(to(state, { helped: true, question: "more" }), `${say} ${SAYS.anythingElse}`);
}

/** Wishes that go before everything else, also while something is being asked for. */
function toWish(scene: Scene, state: State, intent: string | null): Answer | null {
  switch (intent) {
    case "opt_out": {
      const uses = [...use(scene, "opt_out"), ...disposition(scene, "opted_out")];
      if (uses[0]?.name === "opt_out") return speak(to(state, { gathering: null }), SAYS.ofCourse, uses);
      return end(
        scene,
        state,
        uses.length > 0 || scene.disposition === "opted_out" ? SAYS.optOutNoted : SAYS.optOutImpossible,
        "opted_out",
      );
    }
    case "wrong_number":
      return end(scene, state, SAYS.wrongNumber, "wrong_number");
    case "person": {
      const uses = transferUse(scene);
      return uses.length > 0
        ? speak(to(state, { gathering: null, question: null }), SAYS.oneMoment, uses)
        : callBack(scene, state, SAYS.noTransfer);
    }
    case "no_thanks":
      if (state.gathering) return toWish(scene, state, "never_mind");
      return state.helped ? toWish(scene, state, "bye") : toWish(scene, state, "not_interested");
    case "not_interested":
      return end(scene, state, SAYS.notInterested, "not_interested");
    case "bye":
      return end(scene, state, SAYS.goodbye, state.helped && scene.disposition === null ? "resolved" : null);
    case "never_mind":
      return speak(to(state, { gathering: null, question: "more" }), `${SAYS.left} ${SAYS.anythingElse}`);
    case "robot":
      return speak(state, `${SAYS.robot} ${state.gathering ? askAgain(scene, state) : SAYS.goOn}`);
    default:
      return null;
  }
}

/** Replies to what the agent said, and to the conversation as such. */
function toReply(scene: Scene, state: State, intent: string | null): Answer | null {
  const free = to(state, { question: null });
  const more = to(state, { question: "more" });
  const { agent, variables, call } = scene.snapshot;
  const isCold = state.question === "greeting" && asksForTime(agent.greeting_message);
  switch (intent) {
    case "yes":
      if (state.question === "pitch") return toReply(scene, free, "interested");
      if (isCold) return speak(to(state, { question: "pitch" }), `Thank you. ${offer(scene)} ${SAYS.hearMore}`);
      if (state.question === "person") return toWish(scene, state, "person");
      if (state.question === "callback") return callBack(scene, state, SAYS.willCall);
      if (state.question === "more") return speak(free, SAYS.sure);
      return speak(free, `${offer(scene)} ${SAYS.whatElse}`);
    case "no":
      if (isCold) return speak(to(state, { question: "callback" }), says(scene, SAYS.later));
      if (state.question === "more") return toWish(scene, state, "bye");
      if (
        state.question === "pitch" ||
        (state.question === "callback" && !state.helped && call?.direction === "outbound")
      )
        return toWish(scene, state, "not_interested");
      return speak(free, `${SAYS.left} ${offer(scene)} ${SAYS.whatElse}`);
    case "interested":
      if (state.question && state.question !== "greeting" && state.question !== "pitch")
        return toReply(scene, state, "yes");
      return speak(to(more, { helped: true }), SAYS.interested, disposition(scene, "interested"), SAYS.anythingElse);
    case "thanks":
      return speak(
        more,
        SAYS.thanks,
        state.helped && scene.disposition === null ? disposition(scene, "resolved") : [],
        SAYS.anythingElse,
      );
    case "busy":
      return end(scene, state, says(scene, SAYS.busy), "callback_requested");
    case "who": {
      const company = variables.account_name?.trim() ? ` of ${cut(variables.account_name.trim(), 80)}` : "";
      const name = agent.name.trim() === "" ? "" : `${cut(agent.name.trim(), 80)}, `;
      return speak(free, fill(SAYS.who, { agent: `${name}the digital assistant${company}` }));
    }
    case "capabilities":
      return speak(free, `${offer(scene)} ${SAYS.whatElse}`);
    case "again": {
      const tool = scene.tools.find(({ name }) => name === state.lastUse?.name);
      return tool && state.lastUse ? callTool(tool.name, state.lastUse.args, free) : null;
    }
    case "hello":
      return speak(free, SAYS.hello);
    default:
      return null;
  }
}

/** A matter: a tool that is named, else what the agent knows of it. */
function toMatter(scene: Scene, state: State, text: string): Answer {
  const found = scene.knowledge.find(text);
  const named = namedTool(scene.tools, sourceOf(scene, text), found);
  const fits = found?.kind === "FAQ" && (found.titleSaid >= TITLE_SAID || found.score >= FITS_WELL);
  // Who asks a question wants an answer, who says what they want has it done.
  const isWanted = named?.whole || !fits || !isQuestion(text) || (named?.byName && found.titleSaid < TITLE_SAID);
  if (named && isWanted) return begin(named, to(state, { question: null }));
  return found ? tell(to(state, { question: null }), found) : notUnderstood(scene, state);
}

/** What the agent knows of a matter, and where it has it from; of long texts the summary first. */
function tell(state: State, { kind, name, title, summary, content }: Finding): Answer {
  const isShort = kind === "FAQ" && content.trim() !== "" && content.trim().length <= ANSWER_CHARS;
  const isAnswer = !summary.trim().endsWith("?") && summary.trim().split(/\s+/).length >= ANSWER_WORDS;
  const inShort = firstSentences(isAnswer && state.told !== name ? summary : content || summary, 3, ANSWER_CHARS);
  const said = isShort ? firstSentences(content, Number.POSITIVE_INFINITY, ANSWER_CHARS) : inShort;
  const values = { kind, title: cut(title, 120), content: said === "" ? SAYS.nothingWritten : said };
  return speak(to(state, { helped: true, told: name }), fill(SAYS.from, values));
}

/** Asks back, differently each time: in other words, then with what there is to ask, then for a call back. */
function notUnderstood(scene: Scene, state: State): Answer {
  const missed = to(state, { misses: state.misses + 1 });
  const callback = says(scene, SAYS.callback);
  if (missed.misses === 1) return speak(missed, SAYS.notUnderstood);
  if (missed.misses % 2 === 1) return speak(to(missed, { question: "callback" }), fill(SAYS.noHelp, { callback }));
  const canTransfer = transferUse(scene).length > 0;
  const question = canTransfer ? SAYS.person : `${callback.charAt(0).toLowerCase()}${callback.slice(1)}`;
  return speak(
    to(missed, { question: canTransfer ? "person" : "callback" }),
    fill(SAYS.notKnown, { offer: offer(scene), question }),
  );
}

/** Calls the tool, or asks for the first argument that is missing. */
function begin({ tool, wanted, args }: NamedTool, state: State): Answer {
  const missing = wanted.filter(({ name, required }) => required && !args.has(name));
  const [first] = missing;
  if (!first) return callTool(tool.name, Object.fromEntries(args), state);
  const labels = listed(missing.map(({ label }) => `the ${label}`));
  const ask = missing.length === 1 ? SAYS.what : fill(SAYS.first, { question: questionFor(first) });
  const gathering = { tool: tool.name, args, asked: first.name, misses: 0 };
  return speak(to(state, { gathering }), `${fill(SAYS.needs, { tool: spaced(tool.name), labels })} ${ask}`);
}

/** Takes the caller's words for the argument that was asked for; null where the tool is offered no more. */
function goOn(
  scene: Scene,
  state: State,
  gathering: NonNullable<State["gathering"]>,
  text: string,
  isYesOrNo: boolean,
): Answer | null {
  const tool = scene.tools.find(({ name }) => name === gathering.tool);
  const wanted = tool && !scene.called.has(tool.name) ? argumentsOf(tool) : null;
  const asked = wanted?.find(({ name }) => name === gathering.asked);
  if (!tool || !wanted || !asked) return null;
  const found = isQuestion(text) ? scene.knowledge.find(text) : undefined;
  if (found && found.titleSaid >= ASIDE_TITLE_SAID) {
    const answer = tell(state, found);
    return speak(answer.state, `${answer.say} ${askAgain(scene, state)}`);
  }
  const source = sourceOf(scene, text);
  const open = wanted.filter(({ name }) => !gathering.args.has(name));
  const args = new Map([...gathering.args, ...findArguments(open, source)]);
  // A yes, or a question, is no name and no reference.
  const isOther = isYesOrNo || isQuestion(text) || contains(text, NOT_KNOWN);
  const answered = args.has(asked.name) || (isOther && asked.kind !== "boolean") ? undefined : answerFor(asked, source);
  if (answered !== undefined) args.set(asked.name, answered);
  const missing = wanted.find(({ name, required }) => required && !args.has(name));
  if (!missing) return callTool(tool.name, Object.fromEntries(args), state);
  if (missing.name !== asked.name) {
    const next = { tool: tool.name, args, asked: missing.name, misses: 0 };
    return speak(to(state, { gathering: next }), fill(SAYS.thankYou, { question: questionFor(missing) }));
  }
  const { label, description, kind } = asked;
  if (gathering.misses + 1 >= MAX_MISSES) {
    const canTransfer = transferUse(scene).length > 0;
    const question = canTransfer ? `S${SAYS.person.slice(1)}` : says(scene, SAYS.callback);
    const say = `${fill(SAYS.without, { label, tool: spaced(tool.name) })} ${question}`;
    return speak(to(state, { gathering: null, question: canTransfer ? "person" : "callback" }), say);
  }
  const hint = description === "" ? "" : ` (${description.slice(0, 120).replace(/[.\s]+$/, "")})`;
  const again = { tool: tool.name, args, asked: asked.name, misses: gathering.misses + 1 };
  return speak(to(state, { gathering: again }), fill(SAYS.missed, { label, hint, example: EXAMPLES[kind] ?? "" }));
}

const to = (state: State, change: Partial<State>): State => Object.assign({}, state, change);

/** Words, then tools, and what follows once these have run: at once where there are none. */
export function speak(state: State, say: string, uses: Use[] = [], next = ""): Answer {
  if (uses.length > 0) return { say, uses, state: to(state, { next }) };
  return { say: next === "" ? say : `${say} ${next}`, uses, state: to(state, { next: "" }) };
}

/** A last word and the end of the call. */
function end(scene: Scene, state: State, say: string, outcome: string | null): Answer {
  const uses = [...(outcome === null ? [] : disposition(scene, outcome)), ...use(scene, "end_call")];
  return speak(to(state, { gathering: null, question: null }), say, uses);
}

const callBack = (scene: Scene, state: State, say: string): Answer =>
  speak(
    to(state, { gathering: null, question: "more" }),
    says(scene, say),
    disposition(scene, "callback_requested"),
    SAYS.anythingElse,
  );

function callTool(name: string, args: Record<string, unknown>, state: State): Answer {
  const lastUse = { name, args };
  return speak(to(state, { gathering: null, question: null, lastUse }), SAYS.oneMoment, [lastUse]);
}

/** A use of a tool where it is offered, was not used in this turn and needs nothing more: else none. */
function use({ tools, called }: Scene, name: string, args: Record<string, unknown> = {}): Use[] {
  const tool = tools.find((one) => one.name === name);
  const isUsable = tool && !called.has(name) && requiredOf(tool).every((one) => Object.hasOwn(args, String(one)));
  return isUsable ? [{ name, args }] : [];
}

/** Sets how the conversation went, where that can be set, is one of the values, and is not set already. */
function disposition(scene: Scene, value: string): Use[] {
  const tool = scene.tools.find(({ name }) => name === "set_disposition");
  const isKnown = tool && choicesOf(tool, "value")?.includes(value) !== false;
  return scene.disposition !== value && isKnown ? use(scene, "set_disposition", { value }) : [];
}

/** The number that a caller may be put through to: only one that the tool itself names. */
function transferUse(scene: Scene): Use[] {
  const tool = scene.tools.find(({ name }) => name === "transfer_call");
  const number = tool && choicesOf(tool, "to_number")?.find((one) => typeof one === "string");
  return use(scene, "transfer_call", number === undefined ? {} : { to_number: number });
}

/** A visitor of a page has no number to call. */
const says = ({ snapshot }: Scene, text: string): string =>
  fill(text, { getBack: snapshot.kind === "call" ? "call you back" : "get back to you" });

function offer({ knowledge }: Scene): string {
  const titles = knowledge.titles.slice(0, 3).map((title) => `“${cut(title, 80)}”`);
  return titles.length === 0 ? SAYS.offerNothing : fill(SAYS.offer, { titles: listed(titles, "or") });
}

function questionFor({ label, kind, choices }: Argument): string {
  const some =
    choices.length <= 6
      ? listed(
          choices.map((one) => spaced(String(one))),
          "or",
        )
      : "";
  if (kind === "boolean") return fill(SAYS.askYesNo, { label });
  if (some !== "") return fill(SAYS.askChoice, { label, choices: some });
  return fill(/[^s]s$/.test(label) ? SAYS.askMany : SAYS.ask, { label });
}

/** The question that is open, said again after something else. */
function askAgain({ tools }: Scene, { gathering }: State): string {
  const tool = tools.find(({ name }) => name === gathering?.tool);
  const asked = tool && argumentsOf(tool)?.find(({ name }) => name === gathering?.asked);
  return asked ? fill(SAYS.backTo, { question: questionFor(asked) }) : "";
}

function sourceOf({ snapshot: { call, variables } }: Scene, text: string): Source {
  const callerNumber = call && (call.direction === "inbound" ? call.from_number : call.to_number);
  return {
    text,
    variables: new Map(Object.entries(variables).map(([name, value]) => [spaced(name), value])),
    callerNumber,
  };
}

/** What the caller wants of the conversation itself; null for whoever has a matter. */
function intentOf(text: string): string | null {
  const said = wordsOf(text);
  const all = ` ${said.join(" ")} `;
  const isSaid = (phrase: string) => all.includes(` ${phrase} `);
  const found = SIGNS.find(
    ({ says = [], starts = [], is = [], unless = [], maxWords = said.length, inQuestions = true }) =>
      said.length <= maxWords &&
      (inQuestions || !text.includes("?")) &&
      (says.some(isSaid) || starts.some((phrase) => all.startsWith(` ${phrase} `)) || is.includes(all.trim())) &&
      !unless.some(isSaid),
  );
  return found?.intent ?? null;
}

const contains = (text: string, phrases: string[]): boolean =>
  phrases.some((phrase) => ` ${wordsOf(text).join(" ")} `.includes(` ${phrase} `));

/** Whether a greeting asks for the caller's time, so that a yes to it is no more than that. */
const asksForTime = (greeting: string): boolean =>
  contains(/[^.!?]{0,300}\?\s*$/.exec(greeting)?.[0] ?? "", TIME_WORDS);

/** Whether something is asked, rather than wanted. */
const isQuestion = (text: string): boolean =>
  /\?\s*$/.test(text) || QUESTION_WORDS.some((word) => `${wordsOf(text).join(" ")} `.startsWith(`${word} `));
