import type { Step } from "../../../src/dev/stand-in-frames.ts";
import type { StandInAnswer, StandInModel, StandInRequest } from "../../../src/dev/stand-in-model.ts";
import { randomFrom } from "../campaigns/kills.ts";
import type { KillSwitch } from "./kills.ts";

/** Words in a prompt that control the model. */
export const WISHES = { note: "note it", optOut: "stop calling", end: "bye" } as const;

/** The model's answer to one request. */
export interface SpokenAnswer {
  /** The first word of the answer, which is unique. */
  id: string;
  words: string[];
  /** When each sent word left, by performance.now(). */
  sentAt: number[];
  /** The user's words that it answers. */
  to: string;
  /** The tool whose result it answers; null if it answers words. */
  afterTool: string | null;
}

const FIRST_MS = 80;
const BETWEEN_MS = 90;
const FILLER = "and then there is more to say about it".split(" ");

interface Message {
  role: string;
  content?: string | null;
  tool_calls?: { function: { name: string } }[];
}

/** Plays the model. Its answers can be told apart word by word, and it records them. It survives every kill. */
export class Speaker {
  readonly spoken = new Map<string, SpokenAnswer>();
  readonly #random: () => number;
  readonly #killSwitch: KillSwitch;

  constructor(model: StandInModel, killSwitch: KillSwitch, seed: number) {
    this.#random = randomFrom(seed);
    this.#killSwitch = killSwitch;
    model.answers((request) => this.#answer(request));
  }

  #answer({ body }: StandInRequest): StandInAnswer {
    const messages = body.messages as Message[];
    const to =
      messages
        .findLast(({ role }) => role === "user")
        ?.content?.split("\n")
        .at(-1) ?? "";
    const afterTool = messages.at(-1)?.role === "tool" ? nameOfTool(messages) : null;
    this.#killSwitch.reached(afterTool === null ? "asked" : "tool used");
    const id = `m${this.spoken.size + 1}`;
    const tool = afterTool === null ? toolFor(to, id) : null;
    const middle = tool ? ["one", "moment:"] : [...this.#filler(), "done."];
    const answer: SpokenAnswer = { id, words: spaced([id, "answers", ...middle]), sentAt: [], to, afterTool };
    this.spoken.set(id, answer);
    const words = answer.words.map((word) => speaking(answer, word));
    const first_ms = Math.floor(this.#random() * FIRST_MS);
    const between_ms = 20 + Math.floor(this.#random() * BETWEEN_MS);
    return { steps: tool ? [...words, tool, this.#toolRuns()] : words, first_ms, between_ms };
  }

  #filler(): string[] {
    return Array.from({ length: 3 + Math.floor(this.#random() * 12) }, (_, i) => FILLER[i % FILLER.length] ?? "");
  }

  /** Returns the last step. It completes the answer, and the answer's tool is used. */
  #toolRuns(): Step {
    const killSwitch = this.#killSwitch;
    return {
      get say() {
        setImmediate(() => setImmediate(() => killSwitch.reached("tool runs")));
        return "";
      },
    };
  }
}

/** Returns the step that says a word. It records when the word left, because a step is read when it is sent. */
function speaking({ sentAt }: SpokenAnswer, word: string): Step {
  return {
    get say() {
      sentAt.push(performance.now());
      return word;
    },
  };
}

function toolFor(to: string, id: string): Step | null {
  const call = (name: string, args: object) => ({ call: { id: `call-${id}`, name, arguments: args } });
  if (to.includes(WISHES.note)) return call("set_disposition", { value: `wished_${id}` });
  if (to.includes(WISHES.optOut)) return call("opt_out", {});
  return to.includes(WISHES.end) ? call("end_call", { reason: "the caller said bye" }) : null;
}

function nameOfTool(messages: Message[]): string {
  return messages.findLast(({ tool_calls }) => tool_calls?.length)?.tool_calls?.[0]?.function.name ?? "";
}

const spaced = (words: string[]) => words.map((word, i) => (i < words.length - 1 ? `${word} ` : word));
