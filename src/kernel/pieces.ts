/** The items of a list that is too large for memory. They come in pieces that are read one after the other. */
export type Pieces<T> = AsyncIterable<T[]>;

/** An answer, one of whose lists may come in pieces. */
export type WithPieces<T> = {
  [Field in keyof T]: T[Field] | (T[Field] extends readonly (infer Item)[] ? Pieces<Item> : never);
};

export const isInPieces = (value: unknown): value is Pieces<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** A list of an answer that comes in pieces. */
export interface ListInPieces {
  /** The field with the list. */
  name: string;
  pieces: Pieces<unknown>;
}

/** Returns the list of an answer that comes in pieces; null if none does. */
export function listInPieces(answer: unknown): ListInPieces | null {
  for (const [name, value] of Object.entries(Object(answer))) if (isInPieces(value)) return { name, pieces: value };
  return null;
}
