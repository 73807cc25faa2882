import { args, choice, phone, text } from "../schema.ts";
import type { CatalogTool } from "../types.ts";

const CONTACTS = "https://api.hubapi.com/crm/objects/2026-03/contacts";
const auth = { type: "bearer", token: "{{hubspot.access_token}}" };

export const customerTools: CatalogTool[] = [
  {
    name: "find_customer",
    display_name: "Find customer",
    description:
      "Finds up to three contacts in HubSpot by phone number or email address. Use it before you ask for details that may already be known, and never read out what the caller has not said.",
    category: "crm",
    implementation_type: "http",
    effect: "read",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: `${CONTACTS}/search`,
      auth,
      body: {
        query: "{query}",
        limit: 3,
        properties: ["firstname", "lastname", "email", "phone", "company", "lifecyclestage"],
      },
      timeout_ms: 5000,
      response: { path: "results", max_chars: 2000 },
    },
    schema: args({
      query: text("Phone number in E.164, or an email address", { minLength: 3, maxLength: 200 }),
    }),
    tags: ["contacts"],
  },
  {
    name: "save_lead",
    display_name: "Save lead",
    description:
      "Saves a new contact in HubSpot with what was learned in the call, and returns its id. If a contact with that email address already exists, it says so and changes nothing.",
    category: "crm",
    implementation_type: "http",
    effect: "write",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: CONTACTS,
      auth,
      body: {
        properties: {
          firstname: "{first_name}",
          lastname: "{last_name}",
          email: "{email}",
          phone: "{phone_number}",
          hs_lead_status: "{status}",
          message: "{notes}",
        },
      },
      timeout_ms: 6000,
      response: { path: "id", max_chars: 100 },
    },
    schema: args(
      {
        first_name: text("Given name", { minLength: 1, maxLength: 100 }),
        last_name: text("Family name", { maxLength: 100 }),
        email: text("Email address, as the caller spelled it", { format: "email" }),
        phone_number: phone("The caller's number in E.164, such as +436601234567"),
        status: choice("The lead's status", ["NEW", "OPEN", "IN_PROGRESS", "CONNECTED", "UNQUALIFIED"]),
        notes: text("Need, budget, authority and timing, as far as the caller said", { maxLength: 2000 }),
      },
      ["email", "last_name"],
    ),
    tags: ["leads", "sales"],
  },
  {
    name: "create_ticket",
    display_name: "Create ticket",
    description:
      "Opens a support ticket in Zendesk and returns its number to read out: what the problem is, what happened, what was tried, and how to reach the caller.",
    category: "support",
    implementation_type: "http",
    effect: "write",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: "https://{{zendesk.subdomain}}.zendesk.com/api/v2/tickets",
      auth: { type: "basic", username: "{{zendesk.email}}/token", password: "{{zendesk.api_token}}" },
      body: {
        ticket: {
          subject: "{subject}",
          comment: { body: "{description}\n\nCaller: {caller_name}, {reach_at}" },
          priority: "{priority}",
          tags: ["voice"],
        },
      },
      timeout_ms: 6000,
      response: { path: "ticket.id", max_chars: 100 },
    },
    schema: args({
      subject: text("The problem in one line", { minLength: 1, maxLength: 120 }),
      description: text("What happened, since when, what was tried", { minLength: 1, maxLength: 5000 }),
      priority: choice("How urgent it is", ["low", "normal", "high", "urgent"]),
      caller_name: text("Who called", { minLength: 1, maxLength: 100 }),
      reach_at: text("How to reach them: a phone number in E.164, or an email address", {
        minLength: 3,
        maxLength: 200,
      }),
    }),
    tags: ["tickets", "helpdesk"],
  },
];
