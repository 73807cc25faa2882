import type { CatalogFaq } from "./types.ts";

/** Answers that every business needs, for the account to adapt. */
export const faqs: CatalogFaq[] = [
  {
    name: "opening_hours",
    title: "When are you open?",
    summary: "Monday to Friday, nine to five, in our local time; closed on public holidays.",
    content:
      "We are open Monday to Friday from 9:00 to 17:00 local time. On public holidays we are closed. Outside these hours this line takes messages and books callbacks for the next working day.",
    category: "general",
    tags: ["hours", "contact"],
  },
  {
    name: "location_and_parking",
    title: "Where are you, and can I park?",
    summary: "We send the address and directions by text message; visitor parking is free for two hours.",
    content:
      "Our address is on our website, and we gladly send it with directions by text message. Visitors park free of charge for two hours. The entrance is step-free, and the nearest public transport stop is named in the same message.",
    category: "general",
    tags: ["address", "directions"],
  },
  {
    name: "talk_to_a_person",
    title: "Can I talk to a person?",
    summary: "Yes, at any time: during opening hours we transfer you, otherwise we call you back.",
    content:
      "You can ask for a person at any point. During opening hours we put you through at once and tell our colleague what you have said so far, so that you need not repeat it. At other times we book a callback at a time that suits you.",
    category: "general",
    tags: ["handover", "human"],
  },
  {
    name: "delivery_times",
    title: "How long does delivery take?",
    summary: "Two to four working days at home, five to nine abroad; tracking comes by email.",
    content:
      "Orders placed before 14:00 leave the same working day. Standard delivery takes two to four working days in this country and five to nine abroad. As soon as the parcel is on its way you get an email with a tracking link.",
    category: "orders",
    tags: ["shipping", "tracking"],
  },
  {
    name: "returns_and_refunds",
    title: "How do returns work?",
    summary: "Unused items come back within 30 days free of charge; the refund follows within five working days.",
    content:
      "You can send back unused items within 30 days of delivery. We send you a prepaid label by email. Once the parcel has arrived and been checked, the refund goes to the payment method you used, within five working days. Damaged or wrong items are replaced at once; no return is needed for items under ten in value.",
    category: "orders",
    tags: ["returns", "refunds"],
  },
  {
    name: "payment_methods",
    title: "How can I pay?",
    summary: "By card, bank transfer or a payment link; never by telling a card number on the phone.",
    content:
      "We accept the usual credit and debit cards, bank transfer, and for companies payment on invoice within 14 days. On the phone we send a secure payment link. We never ask for card numbers, security codes or passwords in a call.",
    category: "billing",
    tags: ["payments", "cards"],
  },
  {
    name: "invoices",
    title: "Where do I find my invoice?",
    summary: "In the email with your order confirmation, and in your account; we send it again on request.",
    content:
      "Each invoice is attached to the confirmation email and kept in your customer account for ten years. If you cannot find it we send it again to the address on file. Changes of the billing address are possible until the invoice is paid.",
    category: "billing",
    tags: ["invoices", "accounts"],
  },
  {
    name: "cancel_or_move_appointment",
    title: "Can I cancel or move my appointment?",
    summary: "Free of charge until 24 hours before; later changes may be charged.",
    content:
      "You can move or cancel an appointment free of charge until 24 hours before it begins, by phone or through the link in your confirmation. For later cancellations we may charge half the price, unless we can give the slot to somebody else.",
    category: "appointments",
    tags: ["cancellation", "rescheduling"],
  },
  {
    name: "reset_password",
    title: "I cannot sign in. What can I do?",
    summary: "Use the reset link on the sign-in page; it arrives within five minutes and is good for one hour.",
    content:
      "Choose Forgot password on the sign-in page and type the email address of your account. The link arrives within five minutes and can be used for one hour; please look in the spam folder too. If the address is out of date, we verify who you are and change it for you. We never ask for your password.",
    category: "technical",
    tags: ["password", "sign-in"],
  },
  {
    name: "privacy_and_recording",
    title: "Is this call recorded, and what happens to my data?",
    summary: "We say so when a call is recorded; recordings are kept for a limited time and never sold.",
    content:
      "You are talking to a digital assistant. If a call is recorded we say so at the beginning, and you may object. Recordings and notes serve to handle your request and to improve our service, are kept for a limited time and are never sold. You may ask what we hold about you, and have it corrected or deleted.",
    category: "privacy",
    tags: ["recording", "data protection"],
  },
];
