import { knowledgeBase } from "../../kernel/durable/objects.ts";
import { CHUNKS_A_TURN } from "./limits.ts";

/** A part of a document under one heading. */
export interface DocumentPart {
  heading: string;
  text: string;
}

/** Returns a document's text in parts by heading, of at most this many characters; empty if there is no text. */
export async function textOf(
  env: Pick<Env, "KNOWLEDGE_BASE">,
  account: string,
  id: string,
  most = Number.POSITIVE_INFINITY,
): Promise<DocumentPart[]> {
  const parts: DocumentPart[] = [];
  let chars = 0;
  for (let from = 0; chars < most; from += CHUNKS_A_TURN) {
    const chunks = await knowledgeBase(env, account).chunks(id, from, CHUNKS_A_TURN);
    for (const { heading, text, repeated } of chunks) {
      const last = parts.at(-1);
      const own = text.slice(repeated);
      chars += own.length;
      if (last?.heading === heading) last.text += repeated > 0 ? own : `\n${own}`;
      else parts.push({ heading, text: own });
    }
    if (chunks.length < CHUNKS_A_TURN) break;
  }
  return parts;
}
