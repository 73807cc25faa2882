import { z } from "@hono/zod-openapi";
import { content } from "../../kernel/http/content.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS } from "../../kernel/http/example-ids.ts";
import { timestamp } from "../../kernel/http/fields.ts";
import { params, slice, unknown } from "./contract.ts";

const toolWorked = z.boolean().openapi({
  description: "Whether the tool's service returned a successful result.",
  example: true,
});
const durationMs = z.number().int().openapi({ description: "The duration, in milliseconds.", example: 184 });
const toolError = z.string().nullable().openapi({
  description: "The error, in a sentence; null if there was none.",
  example: null,
});

export const runTool = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/tools/{id}/run",
  scope: ["build"],
  operationId: "runTool",
  summary: "Run an http tool, as an agent would",
  description:
    "Checks the arguments, sends the tool's request with the secrets of its integrations and reads the response, " +
    "within 10 s and up to 256 KB. It follows up to three redirects on the same host. If the service fails or an " +
    "integration is not ready, the result has `ok: false`. Secrets are shown as `***`, even if the service " +
    "returns them. A dry run builds the request without sending it. A tool that names an integration also needs " +
    "the scope `connect`.",
  params,
  body: z.object({
    arguments: z
      .record(z.string(), z.unknown())
      .default({})
      .openapi({ description: "The tool's arguments, matching its schema.", example: { order_id: "1042" } }),
    bound: z.record(z.string(), z.string().max(10_000)).default({}).openapi({
      description: "Values for the tool's bound arguments, which a conversation would fill in.",
      example: {},
    }),
    dry_run: z
      .boolean()
      .default(false)
      .openapi({ description: "Whether to build the request without sending it.", example: false }),
  }),
  status: 200,
  response: z
    .object({
      ok: toolWorked,
      request: z
        .object({
          method: z.string().openapi({ description: "The HTTP method of the request.", example: "GET" }),
          url: z.string().openapi({
            description: "The address, with the arguments filled in.",
            example: "https://api.shop.example/orders/1042",
          }),
          headers: z.record(z.string(), z.string()).openapi({
            description: "The headers by name; secrets in them are shown as `***`.",
            example: { authorization: "Bearer ***" },
          }),
          body: z.unknown().openapi({ description: "The body that was sent; null for none.", example: null }),
        })
        .nullable()
        .openapi({ description: "The request that was, or would be, sent; null if there was none." }),
      response: z
        .object({
          status: z
            .number()
            .int()
            .openapi({ description: "The HTTP status of the response from the tool's address.", example: 200 }),
          body: content(z.unknown(), {
            description: "The whole response: a value if it is JSON, otherwise text.",
            example: { order: { number: 1042, status: "on its way" } },
          }),
        })
        .nullable()
        .openapi({ description: "The service's response; null if there was none, and for a dry run." }),
      result: content(z.unknown(), {
        description: "The result that the agent's model receives: the part at `response.path`, or the error.",
        example: "on its way",
      }),
      duration_ms: durationMs,
      error: toolError,
    })
    .openapi("ToolRunResult"),
  errors: {
    ...unknown,
    400: "arguments that do not match the schema, all of which the error names, or a tool that runs elsewhere",
    409:
      "an attempt with the same Idempotency-Key was interrupted, and it is unknown whether the tool's service was " +
      "called",
  },
});

export const listToolRuns = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/tools/{id}/runs",
  scope: ["read"],
  operationId: "listToolRuns",
  summary: "List the last 100 runs of a tool",
  description:
    "Returns runs in conversations and by the API, newest first, without dry runs. The words of conversations " +
    "are not stored with them.",
  params,
  status: 200,
  response: z.object({
    runs: z
      .array(
        z
          .object({
            id: z.string().openapi({
              description: "The run's id. A tool that writes sends it to its service in `Idempotency-Key`.",
              example: EXAMPLE_IDS.toolRun,
            }),
            at: timestamp.openapi({ description: "When it started (UTC)." }),
            conversation_id: z.string().nullable().openapi({
              description:
                "The conversation in which it ran; null for a run by the API, or if the conversation was deleted.",
              example: EXAMPLE_IDS.conversation,
            }),
            ok: toolWorked,
            status: z.number().int().nullable().openapi({
              description: "The HTTP status of the service's response; null if there was none.",
              example: 200,
            }),
            duration_ms: durationMs,
            error: toolError,
          })
          .openapi("ToolRun"),
      )
      .openapi({ description: "Newest first, 100 at most." }),
  }),
  errors: unknown,
});
