import { z } from "@hono/zod-openapi";
import { named } from "../../kernel/http/named-schemas.ts";

/* Traces in OTLP/JSON (opentelemetry-proto 1.x, trace service): ids in hex, 64-bit numbers as text. */

const text = z.string();
const nanos = (description: string) => text.regex(/^\d+$/).openapi({ description, example: "1763717404120000000" });
const spanId = (description: string) =>
  text.regex(/^[0-9a-f]{16}$/).openapi({ description, example: "1000000000000001" });

const value = z
  .union([
    z.object({ stringValue: text.openapi({ description: "A text.", example: "chat" }) }),
    z.object({
      intValue: text.regex(/^-?\d+$/).openapi({ description: "A whole number, as text.", example: "512" }),
    }),
    z.object({ doubleValue: z.number().openapi({ description: "A number.", example: 0.42 }) }),
    z.object({ boolValue: z.boolean().openapi({ description: "A value that is true or false.", example: true }) }),
  ])
  .openapi({ description: "Its value: one field, by the value's type.", example: { stringValue: "chat" } });
const attribute = named(
  "OtlpAttribute",
  "An attribute of a span or of its resource.",
  z.object({
    key: text.openapi({ description: "Its name.", example: "gen_ai.operation.name" }),
    value,
  }),
);
const attributes = (description: string) => z.array(attribute).openapi({ description });

const span = z.object({
  traceId: text.regex(/^[0-9a-f]{32}$/).openapi({
    description: "The conversation's id, without hyphens.",
    example: "019a9b3c4d5e7f8091a2b3c4d5e6f708",
  }),
  spanId: spanId("The span's id, the same whenever the trace is read."),
  parentSpanId: spanId("The span that it is part of; left out for the conversation itself.").optional(),
  name: text.openapi({ description: "The name of the span.", example: "chat gpt-4o" }),
  kind: z
    .number()
    .int()
    .openapi({ description: "1 for work inside the service, 3 for requests to others.", example: 3 }),
  startTimeUnixNano: nanos("When it began."),
  endTimeUnixNano: nanos("When it ended; if it is still in progress, the time of this response."),
  attributes: attributes("The attributes of the span."),
  status: z
    .object({
      code: z.number().int().openapi({ description: "2 for an error.", example: 2 }),
      message: text.openapi({ description: "What went wrong.", example: "the model failed" }),
    })
    .partial()
    .openapi({ description: "The status: empty unless an error occurred." }),
});

/** The body that an OTLP collector accepts at `/v1/traces`. */
export const otlpTraces = z
  .object({
    resourceSpans: z
      .array(
        z.object({
          resource: z
            .object({ attributes: attributes("The service, and the account.") })
            .openapi({ description: "The source of the spans." }),
          scopeSpans: z
            .array(
              z.object({
                scope: z
                  .object({ name: text.openapi({ description: "The part of the service.", example: "conversations" }) })
                  .openapi({ description: "The program that created the spans." }),
                schemaUrl: text.openapi({
                  description: "The version of the semantic conventions.",
                  example: "https://opentelemetry.io/schemas/1.41.0",
                }),
                spans: z.array(span).openapi({ description: "The conversation's span, then its parts." }),
              }),
            )
            .openapi({ description: "One." }),
        }),
      )
      .openapi({ description: "One." }),
  })
  .openapi("OtlpTraces");
export type OtlpTraces = z.output<typeof otlpTraces>;

/** One span of a trace; times in ms. `null` attributes are omitted. */
export interface Span {
  id: string;
  parent?: string;
  name: string;
  kind: "internal" | "client";
  start: number;
  end: number;
  attributes: Attributes;
  error?: string;
}
/** Whole numbers are encoded as integers, other numbers as doubles. */
export type Attributes = Record<string, string | number | boolean | null>;

const KINDS = { internal: 1, client: 3 } as const;

/** Returns the spans of one conversation as OTLP/JSON. */
export function otlpOf(traceId: string, resource: Attributes, spans: Span[]): OtlpTraces {
  return {
    resourceSpans: [
      {
        resource: { attributes: encode(resource) },
        scopeSpans: [
          {
            scope: { name: "conversations" },
            schemaUrl: "https://opentelemetry.io/schemas/1.41.0",
            spans: spans.map(({ id, parent, name, kind, start, end, attributes: of, error }) => {
              const status = error === undefined ? {} : { code: 2, message: error };
              const begun = { traceId, spanId: id, name, kind: KINDS[kind], attributes: encode(of), status };
              const times = { startTimeUnixNano: `${start}000000`, endTimeUnixNano: `${Math.max(start, end)}000000` };
              return Object.assign(begun, times, parent === undefined ? null : { parentSpanId: parent });
            }),
          },
        ],
      },
    ],
  };
}

function encode(of: Attributes) {
  return Object.entries(of).flatMap(([key, one]) => (one === null ? [] : [{ key, value: anyValue(one) }]));
}

function anyValue(one: string | number | boolean) {
  if (typeof one === "string") return { stringValue: one };
  if (typeof one === "boolean") return { boolValue: one };
  return Number.isInteger(one) ? { intValue: String(one) } : { doubleValue: one };
}
