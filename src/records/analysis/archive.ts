import { z } from "zod";
import { type Findings, SPEAKERS, VALUE_STATES, VERDICTS } from "./analysis.ts";

/**
 * Returns the R2 key of a conversation's analysis. It has its own file, so that writing it never rewrites the turns.
 */
export function analysisKey(account: string, id: string): string {
  return `${account}/${id}.analysis.json`;
}

const turns = z.array(z.number());
/** The format of analysis files. Increment it if readers of the present format could not read the new one. */
const ANALYSIS_FORMAT = 1;
const archived = z.object({
  format: z.literal(ANALYSIS_FORMAT),
  /** The number of the analysis. */
  run: z.number(),
  summary: z.string().nullable(),
  successful: z.enum(VERDICTS),
  criteria: z.array(z.object({ name: z.string(), verdict: z.enum(VERDICTS), rationale: z.string().nullable(), turns })),
  data: z.record(
    z.string(),
    z.object({
      value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
      state: z.enum(VALUE_STATES),
      turns,
      by: z.enum(SPEAKERS).nullable(),
    }),
  ),
});

/** Writes the findings of an analysis to R2. Writing again replaces them. */
export async function putAnalysis(
  bucket: Pick<R2Bucket, "put">,
  [account, id]: [account: string, id: string],
  run: number,
  findings: Findings,
): Promise<void> {
  const options = { httpMetadata: { contentType: "application/json" } };
  await bucket.put(
    analysisKey(account, id),
    JSON.stringify(Object.assign({ format: ANALYSIS_FORMAT, run }, findings)),
    options,
  );
}

/** Returns the findings of this analysis; null if none are stored. @throws if the file is malformed */
export async function getAnalysis(
  bucket: Pick<R2Bucket, "get">,
  [account, id]: [account: string, id: string],
  run: number,
): Promise<Findings | null> {
  const file = await bucket.get(analysisKey(account, id));
  if (file === null) return null;
  const { format: _format, run: found, ...findings } = archived.parse(await file.json());
  return found === run ? findings : null;
}
