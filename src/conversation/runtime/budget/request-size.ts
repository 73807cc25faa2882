import type { ModelRequest } from "../models/model.ts";

/** The most tokens that a request may use: those it is read as, and those of the answer. */
export interface RequestSize {
  input: number;
  output: number;
}

/** No tokenizer makes more tokens of ordinary text: a token has four bytes or so. */
const BYTES_PER_TOKEN = 2;

const encoder = new TextEncoder();

export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** The most tokens that so many bytes are read as. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** What a request is taken to use at most, before it is sent. */
export function sizeOf(request: Omit<ModelRequest, "signal">): RequestSize {
  const { system, facts, messages, tools, max_output_tokens } = request;
  const bytes = bytesOf(JSON.stringify({ system, facts, messages, tools }));
  return { input: tokensOf(bytes), output: max_output_tokens };
}
