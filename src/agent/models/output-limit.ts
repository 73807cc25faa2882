import { MINUTE_MS } from "../../kernel/time.ts";

/** Maximum tokens of a model's answer unless its agent sets another limit. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 1_000;

/** The longest time for one answer, ms, after which its request is aborted and its reservation lapses. */
export const LONGEST_ANSWER_MS = MINUTE_MS;
