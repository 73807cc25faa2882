import type { Finding } from "./knowledge.ts";
import {
  ANYTHING_ELSE,
  type Answer,
  becomes,
  offerPerson,
  type Scene,
  type State,
  setDisposition,
  shallSomebody,
  somebody,
  speak,
  transferUse,
} from "./scene.ts";
import { cut, firstSentences, listed } from "./words.ts";

/** Most sentences and characters of an answer. */
const SENTENCES = 3;
const MANY = Number.POSITIVE_INFINITY;
const ANSWER_CHARS = 320;

/** What the agent knows of a matter, and where it has it from. */
export function tell(state: State, found: Finding): Answer {
  const times = state.told?.name === found.name ? state.told.times + 1 : 1;
  const said = isShort(found) ? firstSentences(found.content, MANY, ANSWER_CHARS) : inShort(found, times);
  const from = `From our ${found.kind} “${cut(found.title, 120)}”`;
  const say = said === "" ? `${from}: there is nothing written down yet.` : `${from}: ${said}`;
  return speak(becomes(state, { helped: true, told: { name: found.name, times } }), say);
}

/** Whether what is written down for callers can be said as it is; a playbook is written for the agent. */
function isShort({ kind, content }: Finding): boolean {
  return kind === "FAQ" && content.trim() !== "" && content.trim().length <= ANSWER_CHARS;
}

/** A few sentences of what is too long to be said; whoever asks again wants more than the summary. */
function inShort({ summary, content }: Finding, times: number): string {
  const text = times === 1 && answers(summary) ? summary : content || summary;
  return firstSentences(text, SENTENCES, ANSWER_CHARS);
}

/** Fewer words than this are a heading, and no answer. */
const ANSWER_WORDS = 5;

/** Whether a summary answers by itself: some repeat the question, or name the matter. */
function answers(summary: string): boolean {
  const text = summary.trim();
  return !text.endsWith("?") && text.split(/\s+/).length >= ANSWER_WORDS;
}

/** The caller takes up what was offered. */
export function interested(scene: Scene, state: State): Answer {
  const open = becomes(state, { asked: "anything_else", helped: true });
  const say = "Wonderful, I have noted that you are interested.";
  return speak(open, say, setDisposition(scene, "interested"), "Is there anything you would like to know?");
}

/** Puts the caller through, else has somebody call back. */
export function toPerson(scene: Scene, state: State): Answer {
  const free = becomes(state, { gathering: null, asked: null });
  const uses = transferUse(scene);
  if (uses.length > 0) return speak(free, "One moment, please.", uses);
  const say = `I cannot put you through from here. ${somebody(scene)}.`;
  const open = becomes(free, { asked: "anything_else" });
  return speak(open, say, setDisposition(scene, "callback_requested"), "Is there anything else until then?");
}

/** Somebody will call back. */
export function callBack(scene: Scene, state: State): Answer {
  const open = becomes(state, { asked: "anything_else" });
  return speak(open, `All right. ${somebody(scene)}.`, setDisposition(scene, "callback_requested"), ANYTHING_ELSE);
}

/** Asks back, differently each time: in other words, then with what there is to ask, then for a call back. */
export function notUnderstood(scene: Scene, state: State, what: string): Answer {
  const misses = state.misses + 1;
  const missed = becomes(state, { misses });
  if (misses === 1) return speak(missed, `I am sorry. ${what} Could you say it in other words?`);
  if (misses % 2 === 0) {
    const [question, asked] = offerPerson(scene);
    const say = `I am sorry, that is something I do not know. ${offer(scene)} Or ${question.charAt(0).toLowerCase()}${question.slice(1)}`;
    return speak(becomes(missed, { gathering: null, asked }), say);
  }
  const say = `I am afraid I cannot help with that. ${shallSomebody(scene)}`;
  return speak(becomes(missed, { gathering: null, asked: "callback" }), say);
}

/** What a caller may ask about. */
export function offer({ knowledge }: Scene): string {
  const titles = knowledge.titles(3).map((title) => `“${cut(title, 80)}”`);
  return titles.length === 0 ? "I can take your request." : `You can ask me, for example: ${listed(titles, "or")}.`;
}

/** "resolved" where something was answered and nothing else became of it. */
export const resolved = (scene: Scene, state: State): string | null =>
  state.helped && scene.disposition === null ? "resolved" : null;
