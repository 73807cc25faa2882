import { args, phone, text } from "../schema.ts";
import type { CatalogTool } from "../types.ts";

export const messageTools: CatalogTool[] = [
  {
    name: "send_sms",
    display_name: "Send SMS",
    description:
      "Sends a text message with Twilio: a link, an address, a confirmation. Only after the caller has agreed to it. “accepted” or “queued” means that it is on its way.",
    category: "messaging",
    implementation_type: "http",
    effect: "write",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: "https://api.twilio.com/2010-04-01/Accounts/{{twilio_messaging.account_sid}}/Messages.json",
      auth: {
        type: "basic",
        username: "{{twilio_messaging.api_key_sid}}",
        password: "{{twilio_messaging.api_key_secret}}",
      },
      form: { To: "{to}", MessagingServiceSid: "{{twilio_messaging.messaging_service_sid}}", Body: "{body}" },
      timeout_ms: 5000,
      response: { path: "status", max_chars: 100 },
    },
    schema: args({
      to: phone("Mobile number in E.164, such as +436601234567"),
      body: text("The whole message", { minLength: 1, maxLength: 480 }),
    }),
    tags: ["sms"],
  },
  {
    name: "send_email",
    display_name: "Send email",
    description:
      "Sends a short plain-text email with SendGrid: a summary, a link, an answer in writing. Spell the address back first. It returns nothing on success.",
    category: "messaging",
    implementation_type: "http",
    effect: "write",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: "https://api.sendgrid.com/v3/mail/send",
      auth: { type: "bearer", token: "{{sendgrid.api_key}}" },
      body: {
        personalizations: [{ to: [{ email: "{to}" }] }],
        from: { email: "{{sendgrid.from_email}}" },
        subject: "{subject}",
        content: [{ type: "text/plain", value: "{body}" }],
      },
      timeout_ms: 6000,
      response: { max_chars: 500 },
    },
    schema: args({
      to: text("Address, as the caller spelled it", { format: "email" }),
      subject: text("Subject line", { minLength: 1, maxLength: 150 }),
      body: text("The whole email in plain text", { minLength: 1, maxLength: 5000 }),
    }),
    tags: ["email"],
  },
];
