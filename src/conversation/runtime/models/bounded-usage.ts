import { bytesOf, type RequestSize, sizeOf } from "../budget/request-size.ts";
import type { Model, ModelPart, ModelRequest, ModelUsage } from "./model.ts";

/** At least one output token is charged for this many bytes of the answer. */
const BYTES_PER_TOKEN = 4;
/** At least the reserved input tokens, divided by this, are charged. */
const LEAST_OF_RESERVED = 2;

/**
 * Wraps the model of an account's own server, whose reported usage is charged within bounds: a server that reports too
 * little would evade budgets, and one that reports too much would use them up.
 */
export function withBoundedUsage(model: Model): Model {
  return { name: model.name, answer: (request) => bounded(model, request) };
}

async function* bounded(model: Model, request: ModelRequest): AsyncGenerator<ModelPart> {
  const size = sizeOf(request);
  let bytes = 0;
  let reported: ModelUsage = { input_tokens: 0, cached_tokens: 0, output_tokens: 0 };
  // Usage reported before the answer would not be bounded if the answer is interrupted.
  for await (const part of model.answer(Object.assign({}, request, { onInput: undefined }))) {
    if (part.type === "usage") {
      reported = part;
      continue;
    }
    if (part.type === "text") bytes += bytesOf(part.text);
    else if (part.type === "tool_call") bytes += bytesOf(JSON.stringify(part.call));
    yield part;
  }
  yield Object.assign({ type: "usage" as const }, withinBounds(reported, size, bytes));
}

/** Returns the charged usage: as reported, but at least the minimums above and at most what was reserved. */
export function withinBounds(reported: ModelUsage, { input, output }: RequestSize, answerBytes: number): ModelUsage {
  const input_tokens = between(reported.input_tokens, Math.ceil(input / LEAST_OF_RESERVED), input);
  return {
    input_tokens,
    cached_tokens: between(reported.cached_tokens, 0, input_tokens),
    output_tokens: between(reported.output_tokens, Math.ceil(answerBytes / BYTES_PER_TOKEN), output),
  };
}

/**
 * Limits a reported count to these bounds. If they conflict, the upper bound applies. A count that is not a whole
 * number becomes the lower bound.
 */
function between(count: number, least: number, most: number): number {
  return Math.min(most, Number.isSafeInteger(count) ? Math.max(least, count) : least);
}
