import { type RequestSize, tokensOf } from "./request-size.ts";

export interface Tokens {
  input: number;
  output: number;
}

/** The use of a request: as its model reported it, otherwise as far as it is known. */
export interface Outcome {
  /** The use that the model reported at the end. */
  reported: Tokens | null;
  /** The input, if the model reported it before its answer. */
  read: number | null;
  /** The bytes of the answer that arrived. */
  streamedBytes: number;
  /** Whether the answer is complete. */
  isComplete: boolean;
  /** Whether the server refused the request. */
  wasRefused: boolean;
}

/**
 * Returns the charge of a request: what its model reported. Without a report, a complete answer costs its reserve, an
 * interrupted one its input and the part that arrived, and a refused request nothing.
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

/** Returns what is known about a request that was cut off. */
export function cutOff(streamedBytes: number): Outcome {
  return { reported: null, read: null, streamedBytes, isComplete: false, wasRefused: false };
}

/** A request in progress. Its charge is determined when it ends. */
export interface Charge {
  /** Adds bytes of the answer that have arrived. */
  streamed(bytes: number): void;
  /** Records how much the model has read. */
  read(tokens: number): void;
  reported(input: number, output: number): void;
  /** Records that the server refused the request. */
  refused(): void;
  /** Records that the answer is complete. */
  complete(): void;
  /** Ends the request. Idempotent. */
  end(): void;
}

/** Opens the charge of a request of this size. `over` is called once with the result. */
export function openCharge(size: RequestSize, over: (charged: Tokens) => void): Charge {
  const outcome = cutOff(0);
  let isOver = false;
  return {
    streamed: (bytes) => {
      outcome.streamedBytes += bytes;
    },
    read: (tokens) => {
      outcome.read = count(tokens);
    },
    reported: (input, output) => {
      outcome.reported = { input: count(input), output: count(output) };
    },
    refused: () => {
      outcome.wasRefused = true;
    },
    complete: () => {
      outcome.isComplete = true;
    },
    end: () => {
      if (isOver) return;
      isOver = true;
      over(chargeOf(size, outcome));
    },
  };
}

/** Reads a token count that a model's server reported; 0 if it is invalid. */
function count(reported: number): number {
  return Number.isSafeInteger(reported) && reported >= 0 ? reported : 0;
}
