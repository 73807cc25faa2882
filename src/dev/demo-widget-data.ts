/** The agent of the demo's page and its knowledge. */
export const BICYCLES_AGENT = {
  name: "Ada",
  status: "active",
  auth_mode: "public",
  category: "customer_support",
  description: "Answers questions from visitors to the Acme Bicycles website.",
  system_prompt:
    "You are Ada, the friendly assistant of Acme Bicycles. Answer questions from visitors to the shop's website in short sentences.",
  greeting_message:
    "Hello {{first_name|there}}, I am {{agent_name}} of Acme Bicycles. Ask me about opening hours, delivery, returns or repairs.",
} as const;

export const BICYCLES_FAQS = [
  {
    name: "acme_bicycles_opening_hours",
    title: "Opening hours",
    content:
      "We are open Monday to Friday from 9:00 to 18:30, and on Saturday from 10:00 to 16:00. On Sundays and public holidays the shop is closed.",
  },
  {
    name: "acme_bicycles_returns",
    title: "Returns and refunds",
    content:
      "You can return anything within 30 days, unused and with its receipt, and get your money back within five working days. You may test-ride a bicycle for up to 10 km first. Print your label at https://acme.example/returns.",
  },
  {
    name: "acme_bicycles_delivery",
    title: "Delivery and shipping",
    content:
      "Parts and clothing arrive within two working days, and shipping is free from $50. Bicycles are delivered ready to ride within a week.",
  },
  {
    name: "acme_bicycles_repairs",
    title: "Repairs and service",
    content:
      "Our workshop looks at every bicycle while you wait, and most repairs are done the next day. A full service costs $79, parts not included.",
  },
  {
    name: "acme_bicycles_test_rides",
    title: "Test rides",
    content: "You can try any bicycle in the shop for half an hour. Bring an identity card; no appointment is needed.",
  },
  {
    name: "acme_bicycles_location",
    title: "Where we are",
    content:
      "The shop and the workshop are at 12 Mill Lane, next to the old railway station. There are bike stands at the door.",
  },
  {
    name: "acme_bicycles_payment",
    title: "Payment methods",
    content:
      "We accept cash, all common cards and bank transfers. You can also pay for a bicycle in twelve interest-free monthly installments.",
  },
] as const;
