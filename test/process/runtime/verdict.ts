import { type Caller, type HeardWords, isAlone, LINE_DROPPED, type Sent } from "./caller.ts";
import { type Conversation, GREETING, type Turn } from "./reception.ts";
import type { Speaker, SpokenAnswer } from "./speaker.ts";

/** How often speech in progress is stored at least while words arrive, ms. */
const WRITTEN_EVERY_MS = 250;

/** Returns the faults of a conversation's record, compared with its caller and its model; empty if it is correct. */
export function faultsIn(record: Conversation, caller: Caller, speaker: Speaker): string[] {
  const sent = caller.log.filter((entry) => entry.kind === "sent");
  const heardEntries = caller.log.filter((entry) => entry.kind === "heard");
  const turns = record.turns;
  const idOf = (text: string) => text.split(" ", 1)[0] ?? "";
  const ofModel = (text: string) => speaker.spoken.get(idOf(text));
  const cutAnswers = turns.filter(({ interrupted }) => interrupted).flatMap(({ text }) => ofModel(text) ?? []);
  return [
    ...sent.flatMap((words) => faultsOfSent(words, turns)),
    ...heardEntries.flatMap((words) => faultsOfHeardWords(words, ofModel(words.text), turns)),
    ...turns.flatMap((turn) => faultsOfTurn(turn, sent, ofModel(turn.text), cutAnswers)),
    ...repeated(turns, idOf).map((text) => `twice on record: ${text}`),
    ...faultsOfOrder(caller, turns, ofModel),
    ...faultsOfEnd(record, caller),
  ].map((fault) => `${caller.name}: ${fault}`);
}

/**
 * Checks that answered words are recorded once. Words without an answer may or may not be recorded, because the request
 * to the model doesn't wait until they are stored.
 */
function faultsOfSent({ text, answered }: Sent, turns: Turn[]): string[] {
  const times = turns.filter((turn) => turn.role === "user" && turn.text === text).length;
  return times === 1 || (times === 0 && !answered) ? [] : [`said once, on record ${times} times: ${text}`];
}

function faultsOfHeardWords(words: HeardWords, answer: SpokenAnswer | undefined, turns: Turn[]): string[] {
  const { text, whole } = words;
  if (!answer) {
    const onRecord = turns.some((turn) => turn.role === "agent" && turn.text === text);
    return onRecord || !whole ? [] : [`heard, and not on record: ${text}`];
  }
  const [turn] = turns.filter((one) => one.role === "agent" && one.text.startsWith(answer.words[0] ?? ""));
  const shown = turn ? `${turn.text}${turn.interrupted ? " (interrupted)" : ""}` : "nothing";
  if (whole) {
    return turn?.text === text && !turn.interrupted ? [] : [`heard whole, on record ${shown}: ${text}`];
  }
  const certain = answer.words.slice(0, certainWords(words, answer)).join("");
  if (certain === "" || turn?.text.startsWith(certain)) return [];
  return [`heard at least "${certain}" before the break, on record ${shown}`];
}

/**
 * Returns how many of the heard words must be on record. The service stores a turn when it says the first word, and
 * again when it says a word at least `WRITTEN_EVERY_MS` after words that are not stored yet. The write at a word is
 * complete if the model sent a later word after the caller had heard this one, because the service stores its writes
 * before it reads on. Only times of the caller and the model are compared, so the service's clock is not needed.
 */
function certainWords({ at }: HeardWords, { sentAt }: SpokenAnswer): number {
  const writtenBy = (i: number) => at.some((_, later) => later > i && (sentAt[later] ?? 0) >= (at[i] ?? 0));
  let certain = 0;
  for (const [i] of at.entries()) {
    if (!writtenBy(i)) continue;
    if (i === 0) certain = Math.max(certain, 1);
    const longAgo = at.filter((heardAt, j) => j < i && heardAt + WRITTEN_EVERY_MS <= (sentAt[i] ?? 0)).length;
    certain = Math.max(certain, longAgo);
  }
  return certain;
}

/** Checks that a recorded turn contains exactly what was said. After a break, that can include the rest of a cut answer. */
function faultsOfTurn(
  { role, text, interrupted }: Turn,
  sent: Sent[],
  answer: SpokenAnswer | undefined,
  cutAnswers: SpokenAnswer[],
): string[] {
  if (role === "tool") return [];
  if (role === "user") return sent.some((words) => words.text === text) ? [] : [`the caller did not say: ${text}`];
  if (text.startsWith(`${LINE_DROPPED} `)) {
    const rest = text.slice(LINE_DROPPED.length);
    return cutAnswers.some(({ words }) => words.join("").includes(rest)) ? [] : [`no cut answer continues so: ${text}`];
  }
  if (isAlone(text)) return [];
  const all = answer?.words.join("");
  const right = all === text || (interrupted && all?.startsWith(text));
  return right ? [] : [`the agent did not say: ${text}${interrupted ? " (interrupted)" : ""}`];
}

function repeated(turns: Turn[], idOf: (text: string) => string): string[] {
  const names = turns.flatMap(({ role, text, tool_call }) => {
    if (role === "tool") return [tool_call?.tool_call_id ?? ""];
    return text !== GREETING && isAlone(text) ? [] : [idOf(text)];
  });
  return names.filter((name, i) => names.indexOf(name) !== i);
}

/** Checks that all words are in order, and that each answer follows the words that it answers. */
function faultsOfOrder(caller: Caller, turns: Turn[], ofModel: (text: string) => SpokenAnswer | undefined): string[] {
  const indexOfText = (text: string) => turns.findIndex((turn) => turn.text === text);
  const indexOfAnswer = (answer: SpokenAnswer) =>
    turns.findIndex((turn) => turn.text.startsWith(answer.words[0] ?? ""));
  const faults = turns.flatMap(({ seq }, i) => (seq > (turns[i - 1]?.seq ?? 0) ? [] : [`${seq} comes out of order`]));
  let last = -1;
  for (const entry of caller.log) {
    const answer = entry.kind === "heard" ? ofModel(entry.text) : undefined;
    const at = answer ? indexOfAnswer(answer) : indexOfText(entry.text);
    if (at === -1 || (entry.kind === "heard" && !answer)) continue;
    // A late answer comes before the words that were said again without it.
    if (answer && at < indexOfText(answer.to)) faults.push(`stands before what it answers: ${entry.text}`);
    if (entry.kind === "sent" && at < last) faults.push(`stands before what came before it: ${entry.text}`);
    last = Math.max(last, at);
  }
  return faults;
}

function faultsOfEnd({ status, complete, end_reason }: Conversation, { ended }: Caller): string[] {
  const faults = status === "ended" && complete ? [] : [`${status}, ${complete ? "" : "in"}complete`];
  return ended === null || ended === end_reason ? faults : [...faults, `ended as ${ended}, on record ${end_reason}`];
}
