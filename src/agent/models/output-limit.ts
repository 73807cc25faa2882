import { MINUTE_MS } from "../../kernel/time.ts";

/** The most tokens of a model's answer, where its agent says nothing else. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 1_000;

/** No model may take longer for one answer, ms: its request is aborted then, and what was reserved for it lapses. */
export const LONGEST_ANSWER_MS = MINUTE_MS;
