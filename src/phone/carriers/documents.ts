import { z } from "@hono/zod-openapi";
import { PROVIDERS } from "./carrier.ts";

export const carrierName = z.string().openapi({
  description: `The carrier: ${PROVIDERS.map((name) => `\`${name}\``).join(", ")}.`,
  example: "twilio",
});

const SID = "CA0123456789abcdef0123456789abcdef";
const WEBSOCKET = { type: "websocket", uri: "wss://api.example.com/runtime" };

const form = z.record(z.string(), z.string()).openapi("CarrierForm", {
  description: "The fields of Twilio's, SignalWire's and Plivo's reports, as they define them.",
  example: { CallSid: SID, From: "+12025550100", To: "+13035550110", CallStatus: "ringing" },
});
const report = z.record(z.string(), z.unknown()).openapi("CarrierReport", {
  description: "A report in the format of Telnyx, Vonage or the sandbox.",
  example: {
    data: {
      event_type: "call.answered",
      payload: { call_control_id: "v3:oQ1b7Hc0x2", from: "+12025550100", to: "+13035550110" },
    },
  },
});
const instructions = z.unknown().openapi("CarrierInstructions", {
  description: "Instructions in the format of Vonage and the sandbox; `{}` if the carrier gets them through its API.",
  example: [{ action: "connect", endpoint: [WEBSOCKET] }],
});

const xml = z.string().openapi({
  description: "Instructions in the format of Twilio, SignalWire and Plivo.",
  example: `<?xml version="1.0" encoding="UTF-8"?><Response><Connect><Stream url="${WEBSOCKET.uri}"/></Connect></Response>`,
});

export const carrierReport = {
  "application/x-www-form-urlencoded": { schema: form },
  "application/json": { schema: report },
};

export const carrierInstructions = {
  "application/xml": { schema: xml },
  "application/json": { schema: instructions },
};
