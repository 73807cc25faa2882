import type { TestExpectation } from "../../kernel/db/schema/index.ts";
import { canonicalJson } from "../../kernel/http/canonical-json.ts";
import { isObject } from "../../kernel/objects.ts";
import type { TestConversation, TestTurn } from "./transcript.ts";

/** An expectation that was not met. */
export interface TestFailure {
  expectation: TestExpectation;
  /** The index of the turn that contradicts it; null if no single turn does. */
  turn: number | null;
}

/** Checks whether a JSON value contains another: an object with all members of the other, or an equal value. */
export function holds(whole: unknown, part: unknown): boolean {
  if (!isObject(part) || !isObject(whole)) return canonicalJson(whole ?? null) === canonicalJson(part ?? null);
  return Object.entries(part).every(([name, value]) => Object.hasOwn(whole, name) && holds(whole[name], value));
}

export function failuresOf(conversation: TestConversation, expectations: readonly TestExpectation[]): TestFailure[] {
  return expectations.flatMap((expectation) => {
    const turn = against(conversation, expectation);
    return turn === true ? [] : [{ expectation, turn }];
  });
}

/**
 * Returns true if the expectation is met. Otherwise returns the turn that contradicts it, or null if no single turn
 * does.
 */
function against(conversation: TestConversation, expectation: TestExpectation): true | number | null {
  const { transcript } = conversation;
  const { said, not_said, tool_called, tool_not_called, disposition, ended, transferred, max_turns, cited } =
    expectation;
  if (said !== undefined) return saysAt(transcript, said) >= 0 || null;
  if (not_said !== undefined) return absent(saysAt(transcript, not_said));
  if (tool_called !== undefined) {
    const isOfIt = (turn: TestTurn) => turn.tool?.name === tool_called.name;
    const isMet = transcript.some((turn) => isOfIt(turn) && holds(turn.tool?.arguments, tool_called.arguments ?? {}));
    return isMet || positionOf(transcript.findLastIndex(isOfIt));
  }
  if (tool_not_called !== undefined) return absent(transcript.findIndex(({ tool }) => tool?.name === tool_not_called));
  if (disposition !== undefined)
    return conversation.disposition === disposition || lastUse(transcript, "set_disposition");
  if (ended !== undefined) return conversation.ended === ended || lastUse(transcript, "end_call");
  if (transferred !== undefined)
    return conversation.transferred === transferred || lastUse(transcript, "transfer_call");
  if (cited !== undefined) return isBasedOn(transcript, cited.document_id) || null;
  if (max_turns === undefined) return true;
  const isDisclosure = (text: string, n: number) => n === 0 && text === conversation.disclosure;
  const turns = transcript.flatMap(({ role, text }, n) => (role === "agent" && !isDisclosure(text, n) ? [n] : []));
  return turns.length <= max_turns || (turns[max_turns] ?? null);
}

/** Checks whether a turn of the agent is based on a passage of this document. */
function isBasedOn(transcript: readonly TestTurn[], documentId: string): boolean {
  return transcript.some(({ sources }) => sources?.some(({ document_id }) => document_id === documentId));
}

/** Returns the turn in which the agent first says this, ignoring case; -1 if it never does. */
function saysAt(transcript: readonly TestTurn[], words: string): number {
  const wanted = plain(words);
  return transcript.findIndex(({ role, text }) => role === "agent" && plain(text).includes(wanted));
}

/**
 * Removes differences of case. Both conversions are needed: “ß” becomes “SS” only in upper case, and “ς” and “σ” are
 * equal only in upper case.
 */
const plain = (text: string): string => text.toLowerCase().toUpperCase().normalize("NFC");
const absent = (at: number): true | number => at < 0 || at;
const positionOf = (at: number): number | null => (at < 0 ? null : at);
const lastUse = (transcript: readonly TestTurn[], name: string): number | null =>
  positionOf(transcript.findLastIndex(({ tool }) => tool?.name === name));
