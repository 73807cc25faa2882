import { z } from "zod";
import type { AnalysisSettings } from "../../../kernel/db/schema/index.ts";
import { isObject } from "../../../kernel/objects.ts";

/** A model's claim about a criterion or a value, not yet verified. */
export interface Claim {
  /** The value; for a criterion the verdict. */
  value: unknown;
  rationale: string | null;
  turns: number[];
}

/** What a model claims to have found in a conversation. */
export interface Claims {
  summary: string | null;
  criteria: ReadonlyMap<string, Claim>;
  data: ReadonlyMap<string, Claim>;
}

const text = z.string().nullable().catch(null);
const turns = z
  .array(
    z
      .union([
        z.number(),
        z
          .string()
          .regex(/^-?\d+$/)
          .transform(Number),
      ])
      .nullable()
      .catch(null),
  )
  .transform((all) => all.filter((seq): seq is number => seq !== null && Number.isSafeInteger(seq)))
  .catch([]);
const criterion = z
  .object({ verdict: z.unknown(), rationale: text, turns })
  .transform(({ verdict, ...rest }): Claim => Object.assign(rest, { value: verdict }));
const value = z
  .object({ value: z.unknown(), turns })
  .transform((claim): Claim => Object.assign({ rationale: null }, claim));

/**
 * Parses the claims in a model's answer: a JSON object, with or without other text around it. Null if there is none, or
 * if a requested part is missing.
 */
export function claimsOf(answer: string, { summary, criteria, data }: AnalysisSettings): Claims | null {
  const parsed = objectIn(answer);
  if (parsed === null) return null;
  const claimedSummary = text.parse(parsed.summary ?? null)?.trim() ?? "";
  const claimedCriteria = byName(parsed.criteria, criterion);
  const claimedData = byName(parsed.data, value);
  const lacks = [
    summary && claimedSummary === "",
    criteria.length > 0 && claimedCriteria === null,
    data.length > 0 && claimedData === null,
  ];
  if (lacks.includes(true)) return null;
  return { summary: claimedSummary || null, criteria: claimedCriteria ?? new Map(), data: claimedData ?? new Map() };
}

function objectIn(answer: string): Record<string, unknown> | null {
  const from = answer.indexOf("{");
  const to = answer.lastIndexOf("}");
  if (from === -1 || to < from) return null;
  try {
    const parsed: unknown = JSON.parse(answer.slice(from, to + 1));
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** Returns claims by their keys, or by the names in a list. Anything else is dropped. */
function byName(given: unknown, schema: z.ZodType<Claim>): Map<string, Claim> | null {
  const entries = Array.isArray(given)
    ? given.flatMap((each): [string, unknown][] => (isObject(each) ? [[String(each.name), each]] : []))
    : isObject(given)
      ? Object.entries(given)
      : null;
  if (entries === null) return null;
  return new Map(
    entries.flatMap(([name, each]) => {
      const { data } = schema.safeParse(each);
      return data === undefined ? [] : [[name, data] as const];
    }),
  );
}
