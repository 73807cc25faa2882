import { EgressRefused, type OutResponse } from "./open-out.ts";

/** The text of a body, without an incomplete last character. `failure` is the limit that ended it early. */
export interface ReadText {
  text: string;
  failure: EgressRefused | null;
}

/** Reads a body to its end or its limit, in the charset that its `Content-Type` names, by default UTF-8. */
export async function readText({ headers, body }: Pick<OutResponse, "headers" | "body">): Promise<ReadText> {
  if (body === null) return { text: "", failure: null };
  const decoder = decoderFor(headers.get("content-type") ?? "");
  let text = "";
  try {
    for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
    return { text: text + decoder.decode(), failure: null };
  } catch (failure) {
    if (failure instanceof EgressRefused) return { text, failure };
    throw failure;
  }
}

function decoderFor(contentType: string): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
