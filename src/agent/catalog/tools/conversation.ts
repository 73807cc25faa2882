import { args, choice, text, whole } from "../schema.ts";
import type { CatalogTool } from "../types.ts";
import { END_CALL, TRANSFER_CALL, WORK_OUT_TOTAL } from "./functions.ts";

const percent = (description: string) => ({ type: "number", description, minimum: 0, maximum: 100 });

/** Tools that need only the conversation: the runtime runs them itself, without any request. */
export const conversationTools: CatalogTool[] = [
  {
    name: "transfer_call",
    display_name: "Transfer call",
    description:
      "Transfers the caller to a person, with a short summary for whoever picks up. Only to one of the agent's transfer targets.",
    category: "call_control",
    implementation_type: "python",
    effect: "write",
    implementation_code: TRANSFER_CALL,
    implementation_config: {},
    schema: args(
      {
        label: text("Whom to transfer to: the label of one of the agent's transfer targets", { maxLength: 80 }),
        summary: text("One or two sentences for the person who takes over: who calls and why", { maxLength: 400 }),
        announcement: text("What to tell the caller first", { maxLength: 200 }),
      },
      ["announcement"],
    ),
    tags: ["handover", "escalation"],
  },
  {
    name: "end_call",
    display_name: "End call",
    description: "Says goodbye and hangs up, once the caller has what they came for or asks to stop.",
    category: "call_control",
    implementation_type: "python",
    effect: "write",
    implementation_code: END_CALL,
    implementation_config: {},
    schema: args(
      {
        disposition: choice("How the call went", [
          "resolved",
          "callback_booked",
          "not_interested",
          "wrong_number",
          "voicemail",
        ]),
        farewell: text("Last words before the line closes", { maxLength: 200 }),
      },
      ["farewell"],
    ),
    tags: ["closing"],
  },
  {
    name: "work_out_total",
    display_name: "Work out a total",
    description: "Adds up prices with discount and tax, to the cent. Never calculate money in your head.",
    category: "conversation",
    implementation_type: "python",
    effect: "read",
    implementation_code: WORK_OUT_TOTAL,
    implementation_config: {},
    schema: args(
      {
        items: {
          type: "array",
          description: "What is bought",
          minItems: 1,
          maxItems: 50,
          items: {
            type: "object",
            properties: {
              name: text("What it is", { maxLength: 120 }),
              unit_cents: whole("Price of one, in the smallest unit of the currency", 0, 99_999_999),
              quantity: whole("Quantity; default one", 1, 10_000),
            },
            required: ["name", "unit_cents"],
            additionalProperties: false,
          },
        },
        discount_percent: percent("Discount on the total, in percent; default none"),
        tax_percent: percent("Tax on the discounted total, in percent; none if prices include it"),
      },
      ["discount_percent", "tax_percent"],
    ),
    tags: ["prices"],
  },
];
