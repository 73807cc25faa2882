import type { TurnSource } from "../../records/conversations/sources.ts";

/** What answered a tool in a test: a mock, the tool itself if that was allowed, the service, or nothing (`nobody`). */
export const ANSWERED_BY = ["mock", "run", "built_in", "nobody"] as const;

export interface TestToolUse {
  name: string;
  arguments: Record<string, unknown>;
  ok: boolean;
  answered_by: (typeof ANSWERED_BY)[number];
}

/** Something said in a test, or a tool that was used; then `text` is the tool's result. */
export interface TestTurn {
  role: "user" | "agent" | "tool";
  text: string;
  tool: TestToolUse | null;
  /** The passages on which an agent's turn is based; absent for none. */
  sources?: TurnSource[];
}

export interface TestConversation {
  transcript: TestTurn[];
  /**
   * The disclosure before the agent's first turn, which is in the transcript but not counted as a turn; absent for
   * none.
   */
  disclosure?: string | undefined;
  /** The last disposition that the agent set; null for none. */
  disposition: string | null;
  /** Whether the agent ended the conversation. */
  ended: boolean;
  transferred: boolean;
}
