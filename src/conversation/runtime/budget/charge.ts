import { type RequestSize, tokensOf } from "./request-size.ts";

/** Tokens that were used. */
export interface Tokens {
  input: number;
  output: number;
}

/** The use of a request: as its model reported it, otherwise as far as it can be known. */
export interface Outcome {
  /** As the model reported it at the end. */
  reported: Tokens | null;
  /** The input alone, if the model reported it before its answer. */
  read: number | null;
  /** Bytes of the answer that came. */
  streamedBytes: number;
  /** Whether the answer came to its end. */
  isComplete: boolean;
  /** Whether the server did not take the request. */
  wasRefused: boolean;
}

/**
 * What a request is charged: what its model reported. Without a report, a complete answer costs its reserve, one that
 * was cut short its input and the part that arrived, and a refused request nothing.
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

/** What is known about a request that was cut off. */
export function cutOff(streamedBytes: number): Outcome {
  return { reported: null, read: null, streamedBytes, isComplete: false, wasRefused: false };
}

/** A request under way: what it costs is decided when it ends. */
export interface Charge {
  /** This much more of the answer has arrived. */
  streamed(bytes: number): void;
  /** The model says how much it has read. */
  read(tokens: number): void;
  reported(input: number, output: number): void;
  /** The server did not take the request. */
  refused(): void;
  /** The answer came to its end. */
  complete(): void;
  /** The request is over; said again, it changes nothing. */
  end(): void;
}

/** The charge of a request of this size; `over` is called once with what it came to. */
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

/** A token count as a model's server reports it; 0 if it is invalid. */
function count(reported: number): number {
  return Number.isSafeInteger(reported) && reported >= 0 ? reported : 0;
}
