import type { z } from "zod";

export const REQUIRED = "is required";

const KINDS: Record<string, string> = {
  string: "text",
  number: "a number",
  nan: "a number",
  int: "a whole number",
  bigint: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
  file: "a file",
};

const FORMATS: Record<string, string> = {
  email: "an email address",
  url: "an address such as https://example.com",
  uuid: "a UUID",
  datetime: "a time such as 2030-01-31T09:00:00Z",
  date: "a day such as 2030-01-31",
  time: "a time such as 09:00:00",
};

/** Describes the valid values for schemas without a message of their own. Otherwise the library's message is used. */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined && (issue.path?.length ?? 0) > 0 && NEEDS_VALUE.has(issue.code)) return REQUIRED;
  switch (issue.code) {
    case "invalid_type": {
      const [wanted, sent] = [KINDS[issue.expected], kindOf(issue.input)];
      if (!wanted) return undefined;
      const isOfKind = sent === wanted || (sent === KINDS.number && issue.expected === "int");
      return sent && !isOfKind ? `must be ${wanted}, not ${sent}` : `must be ${wanted}`;
    }
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_big":
      return sized(issue.origin, issue.exact ? "exactly" : issue.inclusive ? "at most" : "less than", issue.maximum);
    case "too_small":
      if (issue.minimum === 1 && !issue.exact && (issue.origin === "string" || issue.origin === "array"))
        return "must not be empty";
      return sized(issue.origin, issue.exact ? "exactly" : issue.inclusive ? "at least" : "more than", issue.minimum);
    case "invalid_format":
      return FORMATS[issue.format] && `must be ${FORMATS[issue.format]}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    default:
      return undefined;
  }
};

const NEEDS_VALUE = new Set(["invalid_type", "invalid_value"]);

function sized(origin: string, how: string, limit: number | bigint): string {
  if (origin === "string") return `must have ${how} ${limit} ${limit === 1 ? "character" : "characters"}`;
  if (origin === "array") return `must have ${how} ${limit} ${limit === 1 ? "entry" : "entries"}`;
  return `must be ${how} ${limit}`;
}

function kindOf(value: unknown): string | undefined {
  if (value === null) return KINDS.null;
  return Array.isArray(value) ? KINDS.array : KINDS[typeof value];
}
