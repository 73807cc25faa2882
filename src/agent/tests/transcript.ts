import type { TurnSource } from "../../records/conversations/sources.ts";

/**
 * Where a tool's result in a test came from: a mock, the tool itself if that was allowed, the service, or nowhere
 * (`nobody`).
 */
export const ANSWERED_BY = ["mock", "run", "built_in", "nobody"] as const;

export interface TestToolUse {
  name: string;
  arguments: Record<string, unknown>;
  ok: boolean;
  answered_by: (typeof ANSWERED_BY)[number];
}

/** A turn of a test's conversation. For a tool, `text` is its result. */
export interface TestTurn {
  role: "user" | "agent" | "tool";
  text: string;
  tool: TestToolUse | null;
  /** The passages on which an agent's turn is based; absent if there are none. */
  sources?: TurnSource[];
}

export interface TestConversation {
  transcript: TestTurn[];
  /**
   * The disclosure before the agent's first turn. It is in the transcript but does not count as a turn; absent if there
   * is none.
   */
  disclosure?: string | undefined;
  /** The last disposition that the agent set; null if it set none. */
  disposition: string | null;
  /** Whether the agent ended the conversation. */
  ended: boolean;
  transferred: boolean;
}
