import type { Chunk } from "../text/chunks.ts";
import type { DocumentState, DocumentStore } from "./document-store.ts";

/** The documents that may stand in a prompt, each kind in the agent's order. */
export interface PromptWish {
  /** Those of mode `prompt`: each is taken that fits. */
  prompt: string[];
  /** Those of mode `auto`: all or none. */
  auto: string[];
}

/** A passage of a document, without what it repeats of the one before it. */
export interface Passage {
  /** Its place in its document, counted from 0. */
  chunk: number;
  heading: string;
  text: string;
}

/** Returns the documents that fit so many characters together. */
export function fitting({ prompt, auto }: PromptWish, states: readonly DocumentState[], most: number): string[] {
  const chars = new Map(states.map((state) => [state.id, state.chars]));
  const sizeOf = (id: string) => chars.get(id) ?? 0;
  let room = most;
  const taken = prompt.filter((id) => {
    const fits = sizeOf(id) <= room;
    if (fits) room -= sizeOf(id);
    return fits;
  });
  const all = auto.reduce((sum, id) => sum + sizeOf(id), 0);
  return [...taken, ...(all <= room ? auto : [])].filter((id) => sizeOf(id) > 0);
}

/** Returns the documents that fit with their passages. */
export function promptPassages(
  store: Pick<DocumentStore, "states" | "chunksOf">,
  wish: PromptWish,
  most: number,
): { id: string; passages: Passage[] }[] {
  const ids = fitting(wish, store.states([...wish.prompt, ...wish.auto]), most);
  return ids.map((id) => ({ id, passages: store.chunksOf(id, 0, most).map(passageOf) }));
}

function passageOf({ place, heading, text, repeated }: Chunk & { place: number }): Passage {
  return { chunk: place, heading, text: text.slice(repeated) };
}
