import { type RequestSize, tokensOf } from "./request-size.ts";

/** Tokens that were used. */
export interface Tokens {
  input: number;
  output: number;
}

/** What a request came to: what its model reported, else what can be known of it. */
export interface Outcome {
  /** As the model reported it at its end. */
  reported: Tokens | null;
  /** The input alone, where the model told that before it answered. */
  read: number | null;
  /** Bytes of the answer that came. */
  streamedBytes: number;
  /** Whether the answer came to its end. */
  isComplete: boolean;
  /** Whether the server did not take the request. */
  wasRefused: boolean;
}

/**
 * What a request is charged: what its model reported. A whole answer of a model that reports nothing costs its reserve,
 * one that was cut short its input and what came of it, and a refused request nothing.
 */
export function chargeOf(
  size: RequestSize,
  { reported, read, streamedBytes, isComplete, wasRefused }: Outcome,
): Tokens {
  if (reported) return reported;
  if (wasRefused) return { input: 0, output: 0 };
  if (isComplete) return size;
  return { input: read ?? size.input, output: Math.min(size.output, tokensOf(streamedBytes)) };
}
