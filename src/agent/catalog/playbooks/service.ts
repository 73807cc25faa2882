import type { CatalogPlaybook } from "../types.ts";
import { page } from "./markdown.ts";

const verify = ["the caller asks about an account, an order or anything personal"];
const order = ["where is my order", "my parcel has not come", "track my delivery"];
const returns = ["I want to return this", "it arrived broken", "wrong item"];
const trouble = ["it does not work", "I cannot sign in", "error message"];
const complaint = ["I am angry", "this is unacceptable", "I want to complain"];
const billing = ["why was I charged", "I need my invoice", "I want to pay"];

export const servicePlaybooks: CatalogPlaybook[] = [
  {
    name: "verify_caller",
    display_name: "Verify the caller",
    description: "Make sure who is calling before anything personal is said.",
    category: "customer_support",
    tags: ["identity", "privacy"],
    tool_names: ["find_customer", "spell_back"],
    triggers: verify,
    content: page({
      title: "Verify the caller",
      objective:
        "Be sure of the caller's identity with two facts, in under a minute, without sounding like an interrogation.",
      when: verify,
      steps: [
        "Say why you ask: “So that I tell this to nobody else, may I check two details?”",
        "Look the caller up with `find_customer` by the number they call from; if nothing is found ask for their email address and read it back with `spell_back`.",
        "Ask for two facts that match the record: the postcode and the date of birth, or the number of a recent order. Never read the record out and ask whether it is right.",
        "Let a customer number be typed on the keypad where saying it is awkward; never ask for a PIN or a password.",
        "If both match, thank them by name and go on with what they called for.",
      ],
      edges: [
        "Somebody calls for another person: offer to call that person back on the number on file.",
        "One fact does not match: allow one more try with a different fact, then stop.",
        "The caller is upset at being asked: explain once that it protects them, and offer a callback to the number on file.",
      ],
      escalate:
        "After two failed attempts share nothing, note it, and transfer to a person or book a callback to the number on file.",
    }),
  },
  {
    name: "order_status",
    display_name: "Order status",
    description: "Say where an order is and when it will arrive, and fix it if it is late.",
    category: "customer_support",
    tags: ["orders", "delivery"],
    tool_names: ["look_up_order", "send_sms", "create_ticket"],
    triggers: order,
    content: page({
      title: "Order status",
      objective:
        "Answer “where is my order” with a date in the first minute, and leave the caller with the tracking link.",
      when: order,
      steps: [
        "Ask for the order number; if it is not at hand, find the order through the caller's email address.",
        "Call `look_up_order` while saying that you are looking.",
        "Say the state in plain words and the expected day: “It left us yesterday and should be with you on Thursday.”",
        "Offer the tracking link by text message and send it with `send_sms` once they agree.",
        "Ask whether anything else about the order is open.",
      ],
      edges: [
        "More than two working days late: apologize once, open a ticket with `create_ticket` (priority high) and give its reference.",
        "Shown as delivered but not there: ask about neighbours and safe places, then open a ticket for an investigation.",
        "Address wrong and not yet sent: note the new address in a ticket; do not promise that it arrives in time.",
      ],
      escalate: "Transfer if the goods are perishable or medical, or if this is the third call about the same order.",
    }),
  },
  {
    name: "handle_return",
    display_name: "Handle a return",
    description: "Open a return or replacement with as little effort for the caller as possible.",
    category: "customer_support",
    tags: ["returns", "refunds"],
    tool_names: ["look_up_order", "list_returnable_items", "start_return", "create_ticket"],
    triggers: returns,
    content: page({
      title: "Handle a return",
      objective: "Open the right return in one call, and say clearly when the money or the replacement comes.",
      when: returns,
      steps: [
        "Look up the order with `look_up_order` and name the items it holds.",
        "See with `list_returnable_items` what can be sent back; ask which items and why, in one question, and match the answer to one of the reasons given there.",
        "For damaged or wrong items offer a replacement first.",
        "Ask for the return with `start_return`, once for each item, and read its name out slowly.",
        "Say what comes next: the shop approves the return, then label by email, drop-off, refund within five working days of arrival.",
      ],
      edges: [
        "Past 30 days: say so kindly, and offer to ask a colleague for an exception with `create_ticket`.",
        "Item cannot be returned (hygiene, made to measure): explain why before the caller packs it.",
        "Gift without an order number: search by the giver's name and postcode, refund only as a voucher.",
      ],
      escalate:
        "Transfer if the value is above 500, if injury or safety is mentioned, or if the caller disputes a refused return.",
    }),
  },
  {
    name: "troubleshoot_issue",
    display_name: "Troubleshoot an issue",
    description: "Find out what does not work, try the known remedies, and hand over a complete ticket otherwise.",
    category: "customer_support",
    tags: ["technical", "tickets"],
    tool_names: ["search_knowledge", "create_ticket", "schedule_callback"],
    triggers: trouble,
    content: page({
      title: "Troubleshoot an issue",
      objective: "Solve it in the call, or leave the engineers a ticket that needs no further questions.",
      when: trouble,
      steps: [
        "Let the caller tell it in their own words, then repeat it in one sentence.",
        "Ask what device or product, since when, and what exactly is seen or heard.",
        "Search with `search_knowledge` and offer one remedy at a time; wait until it has been tried.",
        "After each remedy ask what happened; stop after three.",
        "If it is not solved, open a ticket with `create_ticket`: symptom, since when, what was tried, how to reach them.",
      ],
      edges: [
        "Outage known to us: say so at once, with the time it should be over, and do not troubleshoot.",
        "The caller is not at the device: book a callback with `schedule_callback`.",
        "Signs of fire, smoke, gas or electric shock: tell them to keep away and to call the emergency number, then end politely.",
      ],
      escalate:
        "Transfer at once for safety matters, for business customers that cannot work, and whenever the caller asks.",
    }),
  },
  {
    name: "calm_a_complaint",
    display_name: "Calm a complaint",
    description: "Hear an upset caller out, agree on one next step, and keep the promise.",
    category: "customer_support",
    tags: ["complaints", "empathy"],
    tool_names: ["find_customer", "create_ticket", "transfer_call"],
    triggers: complaint,
    content: page({
      title: "Calm a complaint",
      objective:
        "The caller feels heard, knows what happens next and by when, and nothing is promised that cannot be kept.",
      when: complaint,
      steps: [
        "Do not interrupt. Lower your pace and let them finish.",
        "Name what went wrong and what it meant for them; say sorry once, without excuses.",
        "Ask what would put it right.",
        "Offer what is within the rules; if it is not enough, say who can decide and until when.",
        "Write it down with `create_ticket`, read the promise back, and thank them for telling us.",
      ],
      edges: [
        "Insults: say once that you want to help and need to talk calmly; at the next one offer a callback and end.",
        "Threat of legal steps or the press: make no statement; transfer.",
        "The complaint is about a colleague: take it down word by word and do not defend or blame.",
      ],
      escalate:
        "Transfer with `transfer_call` for legal threats, injury, discrimination, or when the same complaint comes back.",
    }),
  },
  {
    name: "billing_question",
    display_name: "Billing question",
    description: "Explain a charge, send an invoice again, or take a payment by link.",
    category: "customer_support",
    tags: ["billing", "payments"],
    tool_names: ["find_customer", "create_payment_link", "send_sms", "send_email", "create_ticket"],
    triggers: billing,
    content: page({
      title: "Billing question",
      objective: "Every charge explained in one sentence, and payment made easy without ever hearing a card number.",
      when: billing,
      steps: [
        "Verify the caller first.",
        "Ask which amount and date they mean, and find it on the account.",
        "Explain it in one sentence: what, for which period, why this amount.",
        "To pay, make a link with `create_payment_link` and send it with `send_sms`; say that it is good for one payment.",
        "Send invoices again with `send_email` to the address on file only.",
      ],
      edges: [
        "The caller begins to read out a card number: interrupt kindly and offer the link.",
        "Charged twice: apologize, open a ticket for a refund and give the time it takes.",
        "Cannot pay now: note the date they name; do not negotiate installments beyond the rules.",
      ],
      escalate: "Transfer disputes above 200, suspected fraud, and anything about debt collection.",
    }),
  },
];
