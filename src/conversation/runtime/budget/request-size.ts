import type { ModelRequest } from "../models/model.ts";

/** The most tokens that a request may use for its input and its answer. */
export interface RequestSize {
  input: number;
  output: number;
}

/** A lower limit of bytes per token. Ordinary text has about four. */
const BYTES_PER_TOKEN = 2;

const encoder = new TextEncoder();

export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** Returns the most tokens that this many bytes can be. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Returns the most that a request is assumed to use, before it is sent. */
export function sizeOf(request: Omit<ModelRequest, "signal">): RequestSize {
  const { system, facts, messages, tools, max_output_tokens } = request;
  const bytes = bytesOf(JSON.stringify({ system, facts, messages, tools }));
  return { input: tokensOf(bytes), output: max_output_tokens };
}
