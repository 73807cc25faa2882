import { MAX_QUERY_CHARS } from "../../../../agent/knowledge/limits.ts";
import { subtagOf } from "../../../../agent/speech/language.ts";
import type { SessionSnapshot } from "../../session/session.ts";
import { OUTCOME_UNKNOWN } from "../../tools/run-state.ts";
import type { ModelMessage, ModelRequest, ModelTool } from "../model.ts";
import { arrivedIn } from "../notes.ts";
import { ABROAD, type IntentAbroad, type WordsAbroad } from "./abroad.ts";
import { choicesOf, requiredBy } from "./arguments.ts";
import { type Finding, type Knowledge, lookUp, passagesIn } from "./knowledge.ts";
import { DISPOSITIONS, ENDINGS, INTENTS, type Intent, PHRASES, QUESTION, REPLIES } from "./phrases.ts";
import { outcomeOf } from "./results.ts";
import { BUILT_IN, type NamedTool, namedTool } from "./tools.ts";
import { cut, fill, firstSentences, listed, spaced, wordsOf } from "./words.ts";

interface Step {
  say: string;
  calls: { name: string; args: Record<string, unknown> }[];
}

/** The state, besides the caller's words, that a step depends on. */
interface Scene {
  snapshot: SessionSnapshot;
  knowledge: Knowledge;
  tools: ModelTool[];
  /** The agent's words before the caller's last ones. */
  lastWords: string;
  /** Tools called since then; none is called twice in a turn. */
  called: ReadonlySet<string>;
  disposition: unknown;
  /** Whether an earlier step answered or did anything. */
  helped: boolean;
}

const SEARCH = "search_knowledge";
const MAX_TURN_CHARS = 4_000;
const MAX_WISH_WORDS = 20;
const MAX_COURTESY_WORDS = 6;
const MAX_ANSWER_CHARS = 320;
/** If a question contains this share of an FAQ's title, the FAQ answers it even if the question names a tool. */
const TITLE_MATCHES = 0.6;

/** Decides the agent's next step from the conversation so far. */
export function nextStep(
  snapshot: SessionSnapshot,
  knowledge: Knowledge,
  { messages, tools }: Pick<ModelRequest, "messages" | "tools">,
): Step {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const before = messages.slice(0, Math.max(at, 0));
  const callsIn = (some: ModelMessage[]) => some.flatMap((one) => (one.role === "agent" ? one.tool_calls : []));
  const scene: Scene = {
    snapshot,
    knowledge,
    tools,
    lastWords: before.findLast(({ role, text }) => role === "agent" && text !== "")?.text ?? "",
    called: new Set(callsIn(messages.slice(at + 1)).map(({ name }) => name)),
    disposition: callsIn(messages).findLast(({ name }) => name === "set_disposition")?.arguments?.value,
    helped: before.some(
      (one) => (one.role === "tool" && outcomeOf(one).ok) || one.text.startsWith(beginningOf(PHRASES.from)),
    ),
  };
  const last = messages.at(-1);
  const text = messages[at]?.text;
  if (last?.role === "tool" && last.name === SEARCH && text !== undefined) return afterSearch(scene, last, text);
  if (last?.role === "tool") return last.isRunning ? speak(PHRASES.oneMoment) : afterTool(scene, last);
  const arrived = text === undefined ? null : arrivedIn(text);
  const late = messages.findLast((one) => one.role === "tool" && one.name === arrived);
  if (late?.role === "tool") return afterTool(scene, late);
  return text === undefined ? speak(REPLIES.hello ?? "") : respond(scene, pendingIn(before), bothEnds(text));
}

function respond(scene: Scene, pending: string, text: string): Step {
  const abroad = abroadOf(scene);
  if (abroad) return respondAbroad(scene, abroad, text);
  const intent = intentOf(text);
  const isCourtesy = intent !== null && intent in INTENTS.courtesies;
  if (intent && !isCourtesy) return react(scene, intent);
  const found = lookUp(scene.knowledge, text);
  const nameIn = (words: string) => namedTool(scene.tools, words, variablesOf(scene.snapshot), found);
  const [requested, completed] = pending === "" ? [] : [pending, withReply(pending, text)].map(nameIn);
  if (completed && completed.args.size > (requested?.args.size ?? 0)) return request(completed);
  if (intent) return react(scene, intent);
  const named = nameIn(text);
  // A question gets an answer; a stated wish is carried out.
  const isAnswered = found?.kind === "FAQ" && found.titleShare >= TITLE_MATCHES && isQuestion(text);
  if (named && !(isAnswered && named.missing.length > 0)) return request(named);
  if (found) return answerFrom(found);
  if (requested) return request(requested);
  const search = searchFor(scene, text);
  if (search.length > 0) return speak("", search);
  if (scene.lastWords !== PHRASES.notUnderstood) return speak(PHRASES.notUnderstood);
  const question = render(scene, transfer(scene).length > 0 ? PHRASES.person : PHRASES.callback);
  return speak(render(scene, PHRASES.noAnswer, { question }));
}

/** Searches documents outside the prompt, once a turn. */
function searchFor(scene: Scene, text: string): Step["calls"] {
  const isNeeded = scene.snapshot.documents.some(({ passages }) => passages.length === 0);
  return isNeeded ? call(scene, SEARCH, { query: text.slice(0, MAX_QUERY_CHARS) }) : [];
}

/** Answers from the passages that a search found, or as if it had not searched. */
function afterSearch(scene: Scene, { text: result }: Extract<ModelMessage, { role: "tool" }>, text: string): Step {
  const found = lookUp(passagesIn(result), text);
  return found ? answerFrom(found) : respond(scene, "", bothEnds(text));
}

/** Returns the agent's words in its own language, in which every conversation begins. */
const abroadOf = ({ snapshot }: Scene): WordsAbroad | undefined => ABROAD[subtagOf(snapshot.agent.language)];

/** Responds in a language other than English: fewer wishes, and only the conversation's own tools. */
function respondAbroad(scene: Scene, abroad: WordsAbroad, text: string): Step {
  // Uses the language's own rules: in other locales "İlgimi" begins with two code units in lower case.
  const words = text.trim().toLocaleLowerCase(scene.snapshot.agent.language);
  const intents = Object.entries(abroad.intents) as [IntentAbroad, RegExp][];
  const intent = intents.find(([, pattern]) => pattern.test(words))?.[0];
  if (intent === "opt_out") {
    const calls = call(scene, intent);
    return calls.length > 0 ? speak("", calls) : end(scene, abroad.notOptedOut, "opted_out");
  }
  // A question that ends in thanks is still a question.
  if (intent !== undefined && !(text.includes("?") && (intent === "thanks" || intent === "yes"))) {
    return sayAndNote(scene, intent, abroad.replies[intent]);
  }
  const found = lookUp(scene.knowledge, text);
  if (!found) return speak(abroad.notUnderstood);
  const content = firstSentences(found.summary || found.content, 2, MAX_ANSWER_CHARS);
  return speak(fill(abroad.from, { content: content || found.title }));
}

function intentOf(text: string): Intent | null {
  const words = wordsOf(text);
  const { demands, wishes, courtesies } = INTENTS;
  const groups: object[] = [demands];
  if (words.length <= MAX_WISH_WORDS) groups.push(wishes);
  if (words.length <= MAX_COURTESY_WORDS && !text.includes("?")) groups.push(courtesies);
  const patterns = groups.flatMap((group) => Object.entries(group) as [Intent, RegExp][]);
  return patterns.find(([, pattern]) => pattern.test(words.join(" ")))?.[0] ?? null;
}

/** Responds to a wish that is possible in any conversation. */
function react(scene: Scene, intent: Intent): Step {
  const { lastWords, helped } = scene;
  const isTransfer = intent === "person" || (intent === "yes" && lastWords.endsWith(PHRASES.person));
  const calls = isTransfer ? transfer(scene) : intent === "opt_out" ? call(scene, intent) : [];
  if (calls.length > 0) return speak(PHRASES.oneMoment, calls);
  if (isTransfer) return callBack(scene, PHRASES.noTransfer);
  if (intent === "yes" && lastWords.endsWith(render(scene, PHRASES.callback))) return callBack(scene);
  if (intent === "opt_out") return end(scene, PHRASES.notOptedOut, "opted_out");
  if (intent === "no" || intent === "no_thanks") return react(scene, helped ? "bye" : "not_interested");
  return sayAndNote(scene, intent, REPLIES[intent] ?? "");
}

/**
 * Says the reply to an intent and records a disposition. `resolved` replaces no earlier one and needs an answer before
 * it.
 */
function sayAndNote(scene: Scene, intent: Intent, reply: string): Step {
  const disposition = DISPOSITIONS[intent] ?? "";
  const isKept = disposition === "resolved" && (!scene.helped || scene.disposition !== undefined);
  const say = render(scene, reply);
  if (ENDINGS.has(intent)) return end(scene, say, isKept ? "" : disposition);
  return speak(say, isKept ? [] : setDisposition(scene, disposition));
}

/** Responds after a tool has run; says nothing if everything was said before. */
function afterTool(scene: Scene, message: Extract<ModelMessage, { role: "tool" }>): Step {
  const { name } = message;
  const { ok, text } = outcomeOf(message);
  const abroad = abroadOf(scene);
  if (abroad && name === "opt_out") return end(scene, ok ? abroad.optedOut : abroad.notOptedOut, "opted_out");
  if (name === "opt_out") return end(scene, ok ? PHRASES.optedOut : PHRASES.notOptedOut, "opted_out");
  if (name === "transfer_call" && !ok) return callBack(scene, PHRASES.notReached);
  if (BUILT_IN.has(name)) return speak("");
  if (message.text === OUTCOME_UNKNOWN)
    return speak(render(scene, PHRASES.unknown, { tool: spaced(name), question: render(scene, PHRASES.callback) }));
  if (ok) return speak(fill(PHRASES.results, { results: text }));
  const reason = text && ` ${text}.`;
  return speak(
    render(scene, PHRASES.failed, { tool: spaced(name), reason, question: render(scene, PHRASES.callback) }),
  );
}

/** Returns the request whose arguments the agent has just asked for, with the replies; "" for none. */
function pendingIn(messages: ModelMessage[]): string {
  const [words, lastWords] = messages.slice(-2);
  if (lastWords?.role !== "agent" || !lastWords.text.startsWith(beginningOf(PHRASES.needs)) || words?.role !== "user")
    return "";
  return withReply(pendingIn(messages.slice(0, -2)), bothEnds(words.text));
}

/** Adds a reply to a request in quotation marks. */
function withReply(request: string, reply: string): string {
  const isPlain = request === "" || intentOf(reply) !== null || isQuestion(reply);
  return isPlain ? `${request} ${reply}` : `${request} "${reply.replace(/["“”]/g, " ")}"`;
}

/** Calls a tool, or asks for its missing arguments. */
function request({ tool, args, missing }: NamedTool): Step {
  const [first] = missing;
  if (!first) return speak(PHRASES.oneMoment, [{ name: tool.name, args: Object.fromEntries(args) }]);
  const labels = listed(missing.map(({ label }) => `the ${label}`));
  return speak(fill(PHRASES.needs, { tool: spaced(tool.name), labels, label: first.label }));
}

/** Answers from the agent's knowledge with its source; uses the summary or the beginning of long texts. */
function answerFrom({ kind, title, summary, content }: Finding): Step {
  const isShort = kind === "FAQ" && content.trim() !== "" && content.length <= MAX_ANSWER_CHARS;
  const summaryText = isShort
    ? firstSentences(content, 99, MAX_ANSWER_CHARS)
    : firstSentences(summary || content, 3, MAX_ANSWER_CHARS);
  return speak(fill(PHRASES.from, { kind, title: cut(title, 120), content: summaryText || "…" }));
}

const speak = (say: string, calls: Step["calls"] = []): Step => ({ say, calls });

const end = (scene: Scene, say: string, disposition: string): Step =>
  speak(say, [...setDisposition(scene, disposition), ...call(scene, "end_call")]);

const callBack = (scene: Scene, lead = ""): Step =>
  speak(render(scene, PHRASES.willCall, { lead }), setDisposition(scene, "callback_requested"));

/** Calls a tool if it is offered and was not called in this turn. */
function call({ tools, called }: Scene, name: string, args: Record<string, unknown> = {}): Step["calls"] {
  const tool = tools.find((one) => one.name === name);
  const isCallable = tool && !called.has(name) && requiredBy(tool).every((one) => Object.hasOwn(args, String(one)));
  return isCallable ? [{ name, args }] : [];
}

const setDisposition = (scene: Scene, value: string): Step["calls"] =>
  value === "" || scene.disposition === value ? [] : call(scene, "set_disposition", { value });

/** Transfers callers only to a target that the tool itself names, never to a number they say. */
function transfer(scene: Scene): Step["calls"] {
  const tool = scene.tools.find(({ name }) => name === "transfer_call");
  const label = tool && choicesOf(tool, "label").find((one) => typeof one === "string");
  return call(scene, "transfer_call", label === undefined ? {} : { label });
}

/** Renders a text with the session's values. A page's visitor has no number to call. */
function render(scene: Scene, text: string, values: Record<string, string> = {}): string {
  const { snapshot, knowledge } = scene;
  const name = cut(snapshot.agent.name.trim(), 80);
  const company = cut(snapshot.variables.account_name?.trim() ?? "", 80);
  const titles = knowledge.slice(0, 3).map(({ title }) => `“${cut(title, 80)}”`);
  const fromSession = {
    agent: abroadOf(scene) ? name : `${name && `${name}, `}the digital assistant${company && ` of ${company}`}`,
    getBack: snapshot.kind === "call" ? "call you back" : "get back to you",
    offer: titles.length === 0 ? PHRASES.offerNothing : fill(PHRASES.offer, { titles: listed(titles, "or") }),
  };
  return fill(text, Object.assign(fromSession, values));
}

/** Returns the session's values for arguments by their spoken names. */
function variablesOf({ call, variables }: SessionSnapshot): Map<string, string> {
  const values = new Map(Object.entries(variables).map(([name, value]) => [spaced(name), value]));
  const number = call?.direction === "inbound" ? call.from_number : call?.to_number;
  return number ? new Map([["phone", number], ["phone number", number], ...values]) : values;
}

const isQuestion = (text: string): boolean => /\?\s*$/.test(text) || QUESTION.test(wordsOf(text).join(" "));
const beginningOf = (template: string): string => template.slice(0, template.indexOf("{"));
const bothEnds = (text: string): string =>
  text.length <= MAX_TURN_CHARS ? text : `${text.slice(0, MAX_TURN_CHARS / 2)} ${text.slice(-MAX_TURN_CHARS / 2)}`;
