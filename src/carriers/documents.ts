import { z } from "@hono/zod-openapi";

const form = z.record(z.string(), z.string()).openapi("CarrierForm", {
  description: "The fields of Twilio's, SignalWire's and Plivo's reports, as they define them.",
});
const report = z
  .record(z.string(), z.unknown())
  .openapi("CarrierReport", { description: "A report as Telnyx, Vonage or the sandbox define it." });
const instructions = z.unknown().openapi("CarrierInstructions", {
  description: "What Vonage and the sandbox take for instructions; `{}` where the carrier was told by its API.",
});

/** What carriers send, by media type. */
export const carrierReport = {
  "application/x-www-form-urlencoded": { schema: form },
  "application/json": { schema: report },
};

/** What carriers are answered that want instructions, by media type. */
export const carrierInstructions = {
  "application/xml": { schema: z.string() },
  "application/json": { schema: instructions },
};
