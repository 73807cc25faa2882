import { z } from "zod";

const passage = z.object({
  source: z.object({
    kind: z.literal("document"),
    document_id: z.string(),
    title: z.string(),
    chunk: z.number(),
    heading: z.string(),
  }),
  text: z.string(),
});
const searched = z.object({ results: z.array(z.unknown()) });

/** Returns the passages of documents in the result of `search_knowledge`; empty if there are none. */
export function documentPassages(result: unknown): z.output<typeof passage>[] {
  const { data } = searched.safeParse(result);
  return (data?.results ?? []).flatMap((one) => passage.safeParse(one).data ?? []);
}
