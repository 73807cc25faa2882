import type { SessionSnapshot } from "../../session/session.ts";
import type { ModelTool } from "../model.ts";
import type { Knowledge } from "./knowledge.ts";
import { choicesOf, requiredOf } from "./schema.ts";

/** A tool whose arguments are being asked for. */
export interface Gathering {
  tool: string;
  args: ReadonlyMap<string, unknown>;
  asked: string;
  /** How often the one asked for was not understood. */
  misses: number;
}

/** A question of the agent's that a yes or no is the answer to. */
export type Question = "greeting" | "pitch" | "anything_else" | "person" | "callback";

/** What the conversation has come to: everything that a next answer depends on but the words it answers. */
export interface State {
  gathering: Gathering | null;
  asked: Question | null;
  /** How often nothing fitted. */
  misses: number;
  /** Whether something was answered or done. */
  helped: boolean;
  /** What was told last of what the agent knows, and how often. */
  told: { name: string; times: number } | null;
  /** The use of an account's tool that was last, to try it again. */
  lastUse: Use | null;
  /** What to say once the tools of this turn have run. */
  next: string;
}

/** A tool the agent wants used. */
export interface Use {
  name: string;
  args: Record<string, unknown>;
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
  /** Those offered, none where the agent is to answer in words. */
  tools: ModelTool[];
  /** Names of those called since the caller's last words: none is called twice. */
  called: ReadonlySet<string>;
  /** The last outcome that was set, null where none was. */
  disposition: string | null;
  /** What the agent said last. */
  lastSaid: string;
}

/** The tools the runtime itself has; all others are the account's. */
export const BUILT_IN: ReadonlySet<string> = new Set(["opt_out", "end_call", "transfer_call", "set_disposition"]);

/** How a conversation begins. */
export const beginning = (greeting: string): State => ({
  gathering: null,
  asked: greeting.trim() === "" ? null : "greeting",
  misses: 0,
  helped: false,
  told: null,
  lastUse: null,
  next: "",
});

/** A state with some of it changed. */
export const becomes = (state: State, change: Partial<State>): State => Object.assign({}, state, change);

/** A use of a tool where it is offered, was not used in this turn and needs nothing more: else none. */
export function use({ tools, called }: Scene, name: string, args: Record<string, unknown> = {}): Use[] {
  const tool = tools.find((one) => one.name === name);
  if (!tool || called.has(name)) return [];
  return requiredOf(tool).some((one) => !Object.hasOwn(args, String(one))) ? [] : [{ name, args }];
}

/** Sets how the conversation went, where that can be set, is one of the values, and is not set already. */
export function setDisposition(scene: Scene, value: string): Use[] {
  if (scene.disposition === value) return [];
  const tool = scene.tools.find(({ name }) => name === "set_disposition");
  if (choicesOf(tool, "value")?.includes(value) === false) return [];
  return use(scene, "set_disposition", { value });
}

/** Words, then tools, and what follows once these have run: at once where there are none. */
export function speak(state: State, say: string, uses: Use[] = [], next = ""): Answer {
  if (uses.length > 0) return { say, uses, state: becomes(state, { next }) };
  return { say: next === "" ? say : `${say} ${next}`, uses, state: becomes(state, { next: "" }) };
}

/** A last word and the end of the call. */
export function farewell(scene: Scene, state: State, say: string, disposition: string | null): Answer {
  const outcome = disposition === null ? [] : setDisposition(scene, disposition);
  return speak(becomes(state, { gathering: null, asked: null }), say, [...outcome, ...use(scene, "end_call")]);
}

/** The number that a caller may be put through to: only one that the tool itself names. */
export function transferUse(scene: Scene): Use[] {
  const tool = scene.tools.find(({ name }) => name === "transfer_call");
  if (!tool) return [];
  const number = choicesOf(tool, "to_number")?.find((one) => typeof one === "string");
  return use(scene, "transfer_call", number === undefined ? {} : { to_number: number });
}

export const ANYTHING_ELSE = "Is there anything else I can help you with?";

/** A visitor of a page has no number to call. */
const getBack = ({ snapshot }: Scene): string => (snapshot.kind === "call" ? "call you back" : "get back to you");
export const somebody = (scene: Scene): string => `Somebody will ${getBack(scene)}`;
export const shallSomebody = (scene: Scene): string => `Shall somebody ${getBack(scene)}?`;

/** The question whether the caller wants a person, and what a yes to it is to. */
export const offerPerson = (scene: Scene): [string, Question] =>
  transferUse(scene).length > 0
    ? ["Shall I put you through to a person?", "person"]
    : [shallSomebody(scene), "callback"];
