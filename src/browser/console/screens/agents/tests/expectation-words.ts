import type { Body } from "../../../api/client.ts";
import { codeInWords, agentTests as t } from "../../../texts/index.ts";

export type Expectation = Body<"TestExpectation">;

/** Puts an expectation into a sentence; `titleOf` names documents. */
export function expectationInWords(expected: Expectation, titleOf: (documentId: string) => string): string {
  const { said, not_said, tool_called, tool_not_called, disposition, ended, transferred, max_turns, cited } = expected;
  const words = t.expected;
  if (said !== undefined) return words.said(said);
  if (not_said !== undefined) return words.not_said(not_said);
  if (tool_called !== undefined) {
    const given = tool_called.arguments;
    return words.tool_called(tool_called.name, given === undefined ? "" : JSON.stringify(given));
  }
  if (tool_not_called !== undefined) return words.tool_not_called(tool_not_called);
  if (disposition !== undefined) return words.disposition(codeInWords(disposition));
  if (ended !== undefined) return words.ended(ended);
  if (transferred !== undefined) return words.transferred(transferred);
  if (cited !== undefined) return words.cited(titleOf(cited.document_id));
  return words.max_turns(max_turns ?? 0);
}
