import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { carrierInstructions, carrierName, carrierReport } from "../carriers/documents.ts";

export const callWebhook = endpoint({
  method: "post",
  path: "/api/telephony/webhooks/{provider}/{account}/{call_id}",
  access: "public",
  tag: "Carriers",
  scope: [],
  operationId: "receiveCallWebhook",
  summary: "Receive a carrier's report about a call, signed by the carrier",
  description:
    "The service gives carriers this address with each call. Twilio, SignalWire and Plivo send forms, Telnyx, " +
    "Vonage and the sandbox JSON. Late and repeated reports change nothing. If a carrier asks for instructions, " +
    "the response contains them.",
  params: z.object({
    provider: carrierName,
    account: z.string().openapi({ description: "The name of the account whose call it is.", example: "acme" }),
    call_id: z.string().openapi({ description: "The call's id here.", example: EXAMPLE_IDS.call }),
  }),
  query: z.object({
    campaign: idOf("campaign", "The campaign that placed the call; left out for any other call.").optional(),
    credentials: idOf(
      "credentials",
      "The carrier credentials that the call uses; left out for a carrier without credentials.",
    ).optional(),
    token: z
      .string()
      .optional()
      .openapi({
        description:
          "Proves that the service created this address for this call, campaign and credentials. An address without it " +
          "is refused.",
        example: "q3JX0bXo0d1cVtq3mJ6w1mXo2sP9uY7r4n8h5kz0a1c",
      }),
    transfer: z.string().optional().openapi({
      description: "Where the call is handed over to, as the service has signed it for this call.",
      example: "eyJhbGciOiJFUzI1NiJ9.e30.x",
    }),
    message: z
      .literal("1")
      .optional()
      .openapi({ description: "Requests what to say to the machine that answered.", example: "1" }),
    document: z.literal("1").optional().openapi({
      description: "Requests the instructions of an answered call that were too long for the request that placed it.",
      example: "1",
    }),
  }),
  extraQuery: "ignored",
  rawBody: carrierReport,
  status: 204,
  others: {
    200: { description: "Instructions for the call, in the carrier's format.", stream: carrierInstructions },
  },
  errors: {
    400: "signed, but no report of a call, or it broke off",
    403: "not signed by the carrier, of another call, at an address that was not given out for this call, or asks for a transfer or a message that was not ordered",
    404: "unknown carrier or call",
    413: "over 64 KiB",
    415: "compressed, where its very bytes are signed",
    429: "too many that were not signed came from this address in this minute",
  },
});
