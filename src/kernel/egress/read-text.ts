import { EgressRefused, type OutResponse } from "./open-out.ts";

/** The text of a body, without a last character that is incomplete; `failure` is what ended it early, null if nothing. */
export interface ReadText {
  text: string;
  failure: EgressRefused | null;
}

/** Reads a body to its end or to its bound. */
export async function readText({ body }: OutResponse): Promise<ReadText> {
  if (body === null) return { text: "", failure: null };
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
    return { text: text + decoder.decode(), failure: null };
  } catch (failure) {
    if (failure instanceof EgressRefused) return { text, failure };
    throw failure;
  }
}
