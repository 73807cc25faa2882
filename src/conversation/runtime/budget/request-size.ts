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

/** The most tokens that this many bytes can count. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** The most a request is assumed to use, before it is sent. */
export function sizeOf(request: Omit<ModelRequest, "signal">): RequestSize {
  const { system, facts, messages, tools, max_output_tokens } = request;
  const bytes = bytesOf(JSON.stringify({ system, facts, messages, tools }));
  return { input: tokensOf(bytes), output: max_output_tokens };
}
