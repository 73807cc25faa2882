import { z } from "zod";
import { basic, bodyAs, FORM_TYPE, hasHeaders, JSON_TYPE, json, pairsAs, type Vendor } from "./vendor.ts";

/* developer.zendesk.com/api-reference/ticketing/tickets/tickets: create ticket. */
const ticket = z.strictObject({
  ticket: z.strictObject({
    subject: z.string().optional(),
    comment: z.strictObject({ body: z.string().min(1) }),
    priority: z.enum(["urgent", "high", "normal", "low"]).optional(),
    tags: z.array(z.string()).optional(),
  }),
});

export const zendesk: Vendor = {
  host: "acme.zendesk.com",
  answer(request) {
    const { method, url, headers } = request;
    const authorization = basic("ops@example.com/token", "zd_1");
    if (headers.get("authorization") !== authorization) return json(401, { error: "Couldn't authenticate you" });
    if (`${method} ${url.pathname}${url.search}` !== "POST /api/v2/tickets") {
      return json(404, { error: "InvalidEndpoint", description: "Not found" });
    }
    const body = bodyAs(ticket, request);
    if (!body || !hasHeaders(request, Object.assign({ authorization }, JSON_TYPE))) {
      const details = { base: [{ description: "Description: cannot be blank", error: "BlankValue" }] };
      return json(422, { error: "RecordInvalid", description: "Record validation errors", details });
    }
    const { subject, priority, comment } = body.ticket;
    return json(201, { ticket: { id: 35436, subject, priority, status: "new", description: comment.body }, audit: {} });
  },
};

/* twilio.com/docs/messaging/api/message-resource: create a Message resource. */
const message = z.strictObject({
  To: z.string().regex(/^\+[1-9]\d{6,14}$/),
  MessagingServiceSid: z.string().regex(/^MG[0-9a-f]{32}$/),
  Body: z.string().min(1).max(1600),
});

export const ACCOUNT_SID = `AC${"1".repeat(32)}`;
export const SERVICE_SID = `MG${"2".repeat(32)}`;

export const twilio: Vendor = {
  host: "api.twilio.com",
  answer(request) {
    const { method, url, headers, text } = request;
    const authorization = basic("SK1", "secret:1");
    const refuse = (status: number, code: number, about: string) =>
      json(status, { code, message: about, more_info: `https://www.twilio.com/docs/errors/${code}`, status });
    if (headers.get("authorization") !== authorization) return refuse(401, 20003, "Authenticate");
    if (`${method} ${url.pathname}${url.search}` !== `POST /2010-04-01/Accounts/${ACCOUNT_SID}/Messages.json`) {
      return refuse(404, 20404, "The requested resource was not found");
    }
    const parsed = pairsAs(message, new URLSearchParams(text));
    const isForm = hasHeaders(request, Object.assign({ authorization }, FORM_TYPE));
    if (!parsed || !isForm) return refuse(400, 21604, "A 'To' phone number is required.");
    if (parsed.To === "+15005550001") return refuse(400, 21211, "Invalid 'To' Phone Number: +1500555XXXX");
    return json(201, {
      sid: `SM${"3".repeat(32)}`,
      status: "accepted",
      to: parsed.To,
      messaging_service_sid: parsed.MessagingServiceSid,
      body: parsed.Body,
      num_segments: "0",
      error_code: null,
    });
  },
};

/* twilio.com/docs/sendgrid/api-reference/mail-send/mail-send. */
const address = z.strictObject({ email: z.email(), name: z.string().optional() });
const mail = z.strictObject({
  personalizations: z.array(z.strictObject({ to: z.array(address).min(1) })).min(1),
  from: address,
  subject: z.string().min(1),
  content: z.array(z.strictObject({ type: z.enum(["text/plain", "text/html"]), value: z.string().min(1) })).min(1),
});

export const sendgrid: Vendor = {
  host: "api.sendgrid.com",
  answer(request) {
    const { method, url, headers } = request;
    const authorization = "Bearer SG.1";
    const refuse = (status: number, about: string, field: string | null = null) =>
      json(status, { errors: [{ message: about, field, help: null }] });
    if (headers.get("authorization") !== authorization) {
      return refuse(401, "The provided authorization grant is invalid, expired, or revoked");
    }
    if (`${method} ${url.pathname}${url.search}` !== "POST /v3/mail/send") return refuse(404, "resource not found");
    const parsed = bodyAs(mail, request);
    if (!parsed || !hasHeaders(request, Object.assign({ authorization }, JSON_TYPE))) return refuse(400, "Bad Request");
    if (parsed.from.email !== "hello@example.com") {
      return refuse(403, "The from address does not match a verified Sender Identity.", "from");
    }
    return new Response(null, { status: 202, headers: { "x-message-id": "m1" } });
  },
};

/* docs.stripe.com/api/payment-link/create, version 2025-11-17.clover. */
const link = z.strictObject({
  "line_items[0][price_data][currency]": z.string().regex(/^[a-z]{3}$/),
  "line_items[0][price_data][unit_amount]": z.string().regex(/^\d{1,8}$/),
  "line_items[0][price_data][product_data][name]": z.string().min(1),
  "line_items[0][quantity]": z.string().regex(/^[1-9]\d*$/),
  "restrictions[completed_sessions][limit]": z
    .string()
    .regex(/^[1-9]\d*$/)
    .optional(),
});

export const stripe: Vendor = {
  host: "api.stripe.com",
  answer(request) {
    const { method, url, headers, text } = request;
    const authorization = "Bearer rk_test_1";
    const refuse = (status: number, about: string, param?: string) =>
      json(status, { error: { type: "invalid_request_error", message: about, param } });
    if (headers.get("authorization") !== authorization) return refuse(401, "Invalid API Key provided: rk_****");
    if (`${method} ${url.pathname}${url.search}` !== "POST /v1/payment_links") {
      return refuse(404, `Unrecognized request URL (${method}: ${url.pathname}).`);
    }
    const wanted = Object.assign({ authorization, "stripe-version": "2025-11-17.clover" }, FORM_TYPE);
    const parsed = pairsAs(link, new URLSearchParams(text));
    if (!parsed || !hasHeaders(request, wanted)) return refuse(400, "Received unknown parameter", "line_items");
    if (parsed["line_items[0][price_data][currency]"] === "xxx") {
      return refuse(400, "Invalid currency: xxx.", "line_items[0][price_data][currency]");
    }
    return json(200, { id: "plink_1", object: "payment_link", active: true, url: "https://buy.stripe.com/test_1" });
  },
};
