import { withinTime } from "../../../kernel/time-limit.ts";

/** The part of the binding `AI` that computes embeddings. */
export interface EmbeddingService {
  run(model: string, input: { text: string[] }): Promise<unknown>;
}

/** The optional binding of the embedding service. */
export interface EmbeddingEnv {
  AI?: EmbeddingService;
}

/** A model of embeddings. If its name changes, all chunks are embedded again. */
export interface EmbeddingModel {
  name: string;
  dimensions: number;
}

/** A multilingual model, so that a question finds a passage in another language. */
export const EMBEDDING_MODEL: EmbeddingModel = { name: "@cf/baai/bge-m3", dimensions: 1_024 };

/** Texts per request. Requests are also limited in tokens: 16 chunks of any script have fewer than 60,000. */
const TEXTS_A_REQUEST = 16;

/**
 * Returns the embeddings of texts, in order.
 * @throws if the service fails, takes longer than `ms` for a request, or sends an invalid answer
 */
export async function embed(
  service: EmbeddingService,
  { name, dimensions }: EmbeddingModel,
  texts: readonly string[],
  ms: number,
): Promise<number[][]> {
  const vectors: number[][] = [];
  for (let from = 0; from < texts.length; from += TEXTS_A_REQUEST) {
    const text = texts.slice(from, from + TEXTS_A_REQUEST);
    const answer = await withinTime(service.run(name, { text }), ms);
    vectors.push(...vectorsIn(answer, text.length, dimensions));
  }
  return vectors;
}

function vectorsIn(answer: unknown, count: number, dimensions: number): number[][] {
  const data: unknown = typeof answer === "object" && answer !== null && "data" in answer ? answer.data : null;
  if (!Array.isArray(data) || data.length !== count) throw new Error("the embedding service did not answer every text");
  return data.map((vector: unknown) => {
    if (!isVector(vector)) throw new Error("the embedding service returned something other than a vector");
    if (vector.length !== dimensions)
      throw new Error(`the embedding service answered with ${vector.length} dimensions instead of ${dimensions}`);
    return vector;
  });
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => Number.isFinite(one)) && value.some((one) => one !== 0);
}
