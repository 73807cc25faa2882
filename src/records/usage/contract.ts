import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS } from "../../kernel/http/example-ids.ts";
import { USAGE_GROUPS } from "../ledger/usage.ts";
import { DEFAULT_DAYS, MAX_DAYS } from "./usage-window.ts";

/** The most rows in one JSON response. */
export const MAX_ROWS = 50_000;

/** A day (UTC), also accepted as the midnight at which it begins. */
const usageDay = z
  .string()
  .transform((text) => text.replace(/T00:00(:00(\.000)?)?Z$/, ""))
  .pipe(z.iso.date("must be a day such as 2026-11-21"))
  .openapi({ type: "string", format: "date" });
const whole = (description: string, example: number) => z.number().int().openapi({ description, example });

export const usageSums = {
  calls: whole("Outgoing and incoming calls.", 214),
  answered: whole("The number of these calls that a person answered.", 131),
  conversations: whole("Conversations that started on calls, in widgets and in tests of agents.", 140),
  minutes: z.number().openapi({
    description: "Minutes of calls from the answer to the end, to three decimals.",
    example: 262.483,
  }),
  input_tokens: whole("Tokens that models read.", 589_400),
  cached_tokens: whole("The number of `input_tokens` that the model's provider read from its cache.", 430_080),
  output_tokens: whole("Tokens that models wrote.", 49_840),
  speech_chars: whole("Characters that were spoken on calls, or by agents' own voices elsewhere.", 57_680),
  carrier_s: whole("Seconds of calls with a conversation.", 15_749),
  tool_runs: whole("Tool runs whose request was sent.", 88),
  cost: whole(
    "The cost of the conversations, in millionths of a US dollar: the sum of all items with a known price.",
    4_812_350,
  ),
  cost_incomplete: whole("The number of conversations with an unknown price, which `cost` does not include.", 0),
};
/** The requested days, in a query and in its response. */
export const windowQuery = {
  from: usageDay.optional().openapi({
    description: `The first day (UTC) that is counted. Default: ${DEFAULT_DAYS} days before \`to\`.`,
    example: "2026-11-01",
  }),
  to: usageDay.optional().openapi({
    description: `The day (UTC) after the last that is counted, up to ${MAX_DAYS} days after \`from\`. Default: tomorrow.`,
    example: "2026-12-01",
  }),
};
export const windowResponse = {
  from: z.string().openapi({ description: "The first day that is counted (UTC).", example: "2026-11-01" }),
  to: z.string().openapi({ description: "The day after the last that is counted (UTC).", example: "2026-12-01" }),
};
export const WRONG_WINDOW = `a window that ends before it starts or is longer than ${MAX_DAYS} days (\`too_long\`)`;

const id = z.string().nullable().optional();

const usage = z
  .object({
    day: z
      .string()
      .optional()
      .openapi({ description: "The day (UTC); only if grouped by `day`.", example: "2026-11-21" }),
    agent_id: id.openapi({ description: "The agent; only if grouped by `agent`.", example: EXAMPLE_IDS.agent }),
    campaign_id: id.openapi({
      description: "The campaign, null for use outside campaigns; only if grouped by `campaign`.",
      example: EXAMPLE_IDS.campaign,
    }),
    api_key_id: id.openapi({
      description:
        "The API key that placed the call, opened the test or held the visitor's conversation; null if none did; only if grouped by `api_key`.",
      example: EXAMPLE_IDS.apiKey,
    }),
    kind: z
      .string()
      .optional()
      .openapi({
        description:
          "Where it happened: `call`, `widget` or `test`; `agent_test` for runs of tests; `analysis` for analyses of " +
          "ended conversations. Only if grouped by `kind`.",
        example: "call",
      }),
    model: z
      .string()
      .nullable()
      .optional()
      .openapi({
        description:
          "The model that answered, by its name in the prices; null for calls and for conversations that have not " +
          "ended. If two models answered, conversations, speech and minutes count towards the one that wrote more. " +
          "Only if grouped by `model`.",
        example: "gpt-4o",
      }),
    ...usageSums,
  })
  .openapi("Usage");

const USAGE_CSV =
  `${["day", "agent_id", ...Object.keys(usageSums)].join(",")}\r\n` +
  `2026-11-21,${EXAMPLE_IDS.agent},214,131,140,262.483,589400,430080,49840,57680,15749,88,4812350,0\r\n`;

export const getUsage = endpoint({
  method: "get",
  path: "/api/v1/usage",
  access: "account",
  tag: "Usage",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "getUsage",
  summary: "Get usage and cost",
  description:
    "Returns sums for the groups that you name, in their order. Groups without use have no row. Calls count on " +
    "the day they were created, and conversations with everything that they used on the day they started. Sums " +
    "stay when records are deleted. With `Accept: text/csv`, you get the same rows as CSV; grouped by day, their " +
    "number is not limited. An API key that is limited to agents only gets the use of these agents.",
  query: z.object({
    ...windowQuery,
    group_by: z
      .string()
      .default("day")
      .transform((text) => (text === "" ? [] : text.split(",").map((name) => name.trim())))
      .pipe(
        z
          .array(z.enum(USAGE_GROUPS, `must be some of ${USAGE_GROUPS.join(", ")}, separated by commas`))
          .refine((names) => new Set(names).size === names.length, "must not contain a value twice"),
      )
      .openapi({
        type: "string",
        description: `The fields to group by: some of \`${USAGE_GROUPS.join("`, `")}\`, separated by commas; empty for one row of everything.`,
        example: "day,agent",
      }),
  }),
  status: 200,
  response: z.object({
    usage: z.array(usage).openapi({ description: "One row for each group, ordered by the groups' values." }),
    ...windowResponse,
  }),
  stream: { "text/csv": { schema: z.string().openapi({ example: USAGE_CSV }) } },
  errors: {
    400: `${WRONG_WINDOW}, or more than ${MAX_ROWS.toLocaleString("en")} rows (\`too_many_rows\`: ask for a CSV, fewer days or fewer groups)`,
  },
});
