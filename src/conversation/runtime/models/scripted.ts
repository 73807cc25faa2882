import type { SessionSnapshot } from "../session/session.ts";
import type { Model, ModelMessage, ModelPart, ModelRequest, ToolCall } from "./model.ts";
import { type Answer, afterTools, beginning, respond, type Scene, speak } from "./scripted/dialogue.ts";
import { Knowledge } from "./scripted/knowledge.ts";
import { SAYS } from "./scripted/phrases.ts";
import { outcomeOf, type ToolOutcome } from "./scripted/results.ts";
import { read } from "./scripted/words.ts";

/** Most of the caller's turns that an answer goes by, and most characters of them that are read. */
const MOST_TURNS = 40;
const MOST_CHARS = 40_000;
/** Words of one piece of a spoken answer. */
const PIECE_WORDS = 3;
/** A rule of thumb for English. */
const CHARS_PER_TOKEN = 4;

/** What the caller said, and what followed until they spoke again. */
interface Turn {
  text: string;
  rounds: { calls: ToolCall[]; outcomes: ToolOutcome[] }[];
}

/**
 * The embedded model: no network, no key, and the same answer to the same conversation. It answers from what the agent
 * knows by words in common, uses tools that the words name, and knows what every caller may want.
 */
export function scriptedModel(snapshot: SessionSnapshot): Model {
  const knowledge = new Knowledge(snapshot);
  return {
    name: "scripted",
    async *answer(request: ModelRequest): AsyncGenerator<ModelPart> {
      request.signal.throwIfAborted();
      const { say, uses } = answerTo(snapshot, knowledge, request);
      for (const text of piecesOf(say)) {
        yield { type: "text", text };
        request.signal.throwIfAborted();
      }
      for (const [i, { name, args }] of uses.entries()) {
        yield { type: "tool_call", call: { id: `scripted_${request.messages.length}_${i}`, name, arguments: args } };
        request.signal.throwIfAborted();
      }
      yield { type: "usage", input_tokens: tokens(inputChars(request)), output_tokens: tokens(outputChars(say, uses)) };
    },
  };
}

/**
 * Goes through the conversation from its beginning: what it has come to follows from what the caller said and what came
 * of the tools, whether or not the agent was heard to the end.
 */
function answerTo(snapshot: SessionSnapshot, knowledge: Knowledge, { messages, tools }: ModelRequest): Answer {
  const turns = turnsOf(messages);
  const recent = recentOf(turns);
  const earlier = turns.slice(0, turns.length - recent.length);
  let state = beginning(earlier.length === 0 ? snapshot.agent.greeting_message : "");
  let disposition = dispositionOf(earlier.flatMap(({ rounds }) => rounds.flatMap(({ calls }) => calls)));
  let answer = speak(state, SAYS.hello);
  for (const { text, rounds } of recent) {
    const called = new Set<string>();
    const scene = (): Scene => ({ snapshot, knowledge, tools, called, disposition });
    answer = respond(scene(), state, text);
    for (const { calls, outcomes } of rounds) {
      for (const { name } of calls) called.add(name);
      disposition = dispositionOf(calls) ?? disposition;
      answer = afterTools(scene(), answer.state, outcomes);
    }
    state = answer.state;
  }
  return answer;
}

/** The last turns, as far back as is read: the last one always. */
function recentOf(turns: Turn[]): Turn[] {
  const recent: Turn[] = [];
  let chars = 0;
  for (const turn of turns.slice(-MOST_TURNS).reverse()) {
    const text = read(turn.text);
    chars += text.length;
    if (recent.length > 0 && chars > MOST_CHARS) break;
    recent.unshift({ text, rounds: turn.rounds });
  }
  return recent;
}

/** The last outcome that these calls set; null where they set none. */
function dispositionOf(calls: ToolCall[]): string | null {
  const value = calls.findLast(({ name }) => name === "set_disposition")?.arguments?.value;
  return typeof value === "string" ? value : null;
}

function turnsOf(messages: ModelMessage[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    if (message.role === "user") turns.push({ text: message.text, rounds: [] });
    else if (message.role === "agent") {
      if (message.tool_calls.length === 0) continue;
      // The calls of one answer come one by one, each before its result; only the first has the answer's words.
      const round = message.text === "" ? turn?.rounds.at(-1) : undefined;
      if (round) round.calls.push(...message.tool_calls);
      else turn?.rounds.push({ calls: [...message.tool_calls], outcomes: [] });
    } else turn?.rounds.at(-1)?.outcomes.push(outcomeOf(message));
  }
  return turns;
}

/** A text in pieces of a few words; joined they are the text. */
function piecesOf(text: string): string[] {
  const words = text.match(/\s*\S+\s*/g) ?? [];
  const pieces: string[] = [];
  for (let i = 0; i < words.length; i += PIECE_WORDS) pieces.push(words.slice(i, i + PIECE_WORDS).join(""));
  return pieces;
}

const tokens = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);

const inputChars = ({ system, messages }: ModelRequest): number =>
  messages.reduce((sum, message) => {
    const calls = message.role === "agent" ? message.tool_calls : [];
    return sum + message.text.length + calls.reduce((all, one) => all + JSON.stringify(one.arguments).length, 0);
  }, system.length);

const outputChars = (say: string, uses: Answer["uses"]): number =>
  uses.reduce((sum, { name, args }) => sum + name.length + JSON.stringify(args).length, say.length);
