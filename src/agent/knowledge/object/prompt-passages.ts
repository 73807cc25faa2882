import type { Chunk } from "../text/chunks.ts";
import type { DocumentStore, FoundText, WantedText } from "./document-store.ts";

/** The documents that may be included in a prompt, each kind in the agent's order. */
export interface PromptWish {
  /** Documents with the mode `prompt`. Each one that fits is included. */
  prompt: WantedText[];
  /** Documents with the mode `auto`. Either all or none are included. */
  auto: WantedText[];
}

/** A passage of a document, without the part that repeats the end of the previous passage. */
export interface Passage {
  /** The passage's position in its document, counted from 0. */
  chunk: number;
  heading: string;
  text: string;
}

/** Returns the documents that fit together into this many characters. */
export function fitting({ prompt, auto }: PromptWish, texts: readonly FoundText[], most: number): FoundText[] {
  const byId = new Map(texts.map((text) => [text.id, text]));
  const found = (wanted: WantedText[]) => wanted.flatMap(({ id }) => byId.get(id) ?? []);
  let room = most;
  const taken = found(prompt).filter(({ chars }) => {
    const fits = chars <= room;
    if (fits) room -= chars;
    return fits;
  });
  const rest = found(auto);
  const all = rest.reduce((sum, { chars }) => sum + chars, 0);
  return [...taken, ...(all <= room ? rest : [])].filter(({ chars }) => chars > 0);
}

/** Returns the documents that fit, with their passages. */
export function promptPassages(
  store: Pick<DocumentStore, "texts" | "chunksOf">,
  wish: PromptWish,
  most: number,
): { id: string; passages: Passage[] }[] {
  const fit = fitting(wish, store.texts([...wish.prompt, ...wish.auto]), most);
  return fit.map(({ id, edition }) => ({
    id,
    passages: store.chunksOf(id, { from: 0, limit: most, edition }).map(passageOf),
  }));
}

function passageOf({ place: position, heading, text, repeated }: Chunk & { place: number }): Passage {
  return { chunk: position, heading, text: text.slice(repeated) };
}
