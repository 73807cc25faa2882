import { EgressRefused, type OutResponse } from "./open-out.ts";

/** The text of a body, without an incomplete last character. `failure` is the limit that ended it early. */
export interface ReadText {
  text: string;
  failure: EgressRefused | null;
}

/** Reads a body to its end or its limit. */
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
