import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { timestamp } from "../../kernel/http/fields.ts";
import { CURRENCY } from "./cost.ts";
import { PRICED_THINGS } from "./default-prices.ts";
import { hasPrice } from "./price-list.ts";
import { UNITS } from "./units.ts";

/** The highest price of a unit: 1,000 dollars. */
const MAX_UNIT_MICROS = 1_000_000_000;

const WHAT_WORDS =
  "What the price is for: `model/<model>/input`, `…/cached_input` and `…/output` (tokens; `compatible` is the " +
  "server that the operator configured with LLM_BASE_URL, `scripted` the built-in agent), `speech/<voice " +
  "provider>`, `relay/<carrier>` (calls whose speech the carrier converts to text and back, instead of a voice " +
  "provider), or `carrier/<carrier>/<direction>/<destination>` (calls to a number that begins with `+1`, or " +
  "any `other`).";

export const unit = z.enum(UNITS).openapi({
  description:
    "The unit of the price: a `million_tokens`, a `thousand_characters`, a `minute` that is billed by the second, or a " +
    "`started_minute` that is always billed as a whole minute.",
  example: "million_tokens",
});
export const currency = z.literal(CURRENCY).openapi({ description: "US dollars.", example: CURRENCY });

const price = z
  .object({
    what: z.string().openapi({ description: WHAT_WORDS, example: "model/gpt-4o/input" }),
    unit,
    unit_micros: z.number().int().nullable().openapi({
      description: "The price of one unit in millionths of the currency; 0 is free, null unknown.",
      example: 2_500_000,
    }),
    currency,
    since: timestamp.nullable().openapi({
      description: "When the price took effect (UTC); null if unknown.",
      example: "2024-10-01T00:00:00.000Z",
    }),
    source: z.string().nullable().openapi({
      description:
        "The source: `account` for a price that you set, otherwise a public list; null if the price is unknown.",
      example: "OpenAI, https://developers.openai.com/api/docs/pricing",
    }),
  })
  .openapi("Price");

export const newPrice = z.object({
  what: z
    .string()
    .refine(hasPrice, "must be the name of a price, as GET /api/v1/prices lists them")
    .openapi({ description: WHAT_WORDS, example: "speech/cartesia" }),
  unit_micros: z
    .number()
    .int()
    .min(0)
    .max(MAX_UNIT_MICROS)
    .nullable()
    .openapi({
      description:
        "The price of one unit, in millionths of a US dollar: 0 is free, null restores the default. At most 1,000 " +
        "dollars.",
      example: 46_700,
    }),
});

const priceList = z
  .object({ prices: z.array(price).openapi({ description: "All prices, always in the same order." }) })
  .openapi("PriceList");

const slice = { access: "account", tag: "Usage", path: "/api/v1/prices" } as const;

export const getPrices = endpoint({
  ...slice,
  method: "get",
  scope: ["read"],
  operationId: "getPrices",
  summary: "Get the prices used to calculate the cost of conversations",
  description:
    "Returns the current prices: your own if you set one, otherwise the vendor's public list price. If there is " +
    "neither, the price is unknown (null), and the cost of conversations that use it is incomplete.",
  kept: true,
  status: 200,
  response: priceList,
});

export const updatePrices = endpoint({
  ...slice,
  method: "patch",
  scope: ["manage"],
  operationId: "updatePrices",
  summary: "Set prices",
  description:
    "Changes apply to conversations that end from now on; earlier ones keep their cost. Prices that you leave " +
    "out stay as they are.",
  body: z.object({
    prices: z
      .array(newPrice)
      .min(1, "must name a price")
      .max(PRICED_THINGS.length)
      .refine((sent) => new Set(sent.map(({ what }) => what)).size === sent.length, "must not contain a value twice")
      .openapi({ description: "The prices to set." }),
  }),
  status: 200,
  response: priceList,
});
