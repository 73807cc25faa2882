import { MINUTE_MS } from "../../kernel/time.ts";

/** The maximum number of tokens of a model's answer, unless its agent sets another limit. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 1_000;

/** The timeout of one answer, ms. Its request is then aborted, and its reservation lapses. */
export const LONGEST_ANSWER_MS = MINUTE_MS;
