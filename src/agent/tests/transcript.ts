/** Who answered a tool in a test: a mock, the tool itself if that was allowed, the service, or nobody. */
export const ANSWERED_BY = ["mock", "run", "built_in", "nobody"] as const;

/** A use of a tool in a test. */
export interface TestToolUse {
  name: string;
  arguments: Record<string, unknown>;
  ok: boolean;
  answered_by: (typeof ANSWERED_BY)[number];
}

/** Something that was said in a test, or a tool that was used; `text` of a tool is what it answered. */
export interface TestTurn {
  role: "user" | "agent" | "tool";
  text: string;
  tool: TestToolUse | null;
  /** The documents that an agent's turn is based on; absent for none. */
  cited?: string[];
}

/** The result of a test's conversation. */
export interface TestConversation {
  transcript: TestTurn[];
  /** What the agent says of itself before its first turn, which is in the transcript and counts as none; absent for nothing. */
  disclosure?: string | undefined;
  /** The last one the agent set; null for none. */
  disposition: string | null;
  /** Whether the agent ended it. */
  ended: boolean;
  /** Whether the agent transferred the caller. */
  transferred: boolean;
}
