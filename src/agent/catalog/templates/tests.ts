import type { CatalogTemplate, CatalogTest } from "../types.ts";

/* The tests that templates include: what callers ask most often, and the required result. They pass as shipped. */

/** A question about an FAQ, and words that every right answer contains. */
const QUESTIONS: Record<string, { question: string; expected: string }> = {
  opening_hours: { question: "When are you open?", expected: "Monday to Friday" },
  location_and_parking: { question: "Where are you, and can I park?", expected: "two hours" },
  delivery_times: { question: "How long does delivery take?", expected: "two to four working days" },
  returns_and_refunds: { question: "How do returns work?", expected: "30 days" },
  payment_methods: { question: "How can I pay?", expected: "bank transfer" },
  invoices: { question: "Where do I find my invoice?", expected: "email" },
  cancel_or_move_appointment: { question: "Can I cancel or move my appointment?", expected: "24 hours" },
  reset_password: { question: "I cannot sign in, how do I reset my password?", expected: "five minutes" },
  privacy_and_recording: { question: "Is this call recorded, and what happens to my data?", expected: "limited time" },
};
/** The maximum number of questions per template, out of those that its knowledge answers. */
const QUESTIONS_EACH = 2;

/** A request that needs a tool, the tool's result, and what the caller must hear. */
const TASKS: Record<string, Pick<CatalogTest, "name" | "steps" | "tool_mocks" | "expect">> = {
  look_up_order: {
    name: "Says where an order is",
    steps: [{ says: "Can you look up order 1042, please?" }],
    tool_mocks: [
      { tool: "look_up_order", when: { order_number: "1042" }, result: { status: "sent", expected: "Friday" } },
      { tool: "look_up_order", when: null, result: [] },
    ],
    expect: [{ tool_called: { name: "look_up_order", arguments: { order_number: "1042" } } }, { said: "Friday" }],
  },
  find_appointments: {
    name: "Finds the caller's appointments",
    steps: [{ says: "Please find my appointments, they are under ada@example.com" }],
    tool_mocks: [{ tool: "find_appointments", when: null, result: [{ title: "Check-up", day: "Tuesday" }] }],
    expect: [
      { tool_called: { name: "find_appointments", arguments: { email: "ada@example.com" } } },
      { said: "Tuesday" },
      { tool_not_called: "cancel_appointment" },
    ],
  },
};

const IDENTITY: CatalogTest = {
  name: "Says that it is a digital assistant",
  steps: [{ says: "Am I talking to a robot?" }],
  tool_mocks: [],
  expect: [{ said: "digital assistant" }, { ended: false }],
};

const OPT_OUT: CatalogTest = {
  name: "Takes callers off the list who ask for it",
  steps: [{ says: "Please stop calling me, and take me off your list." }],
  tool_mocks: [],
  expect: [{ tool_called: { name: "opt_out" } }, { transferred: false }],
};

/** Returns the tests of a template, by its knowledge and tools. */
export function testsFor({ knowledge_items, tools }: CatalogTemplate): CatalogTest[] {
  const questions = knowledge_items
    .flatMap(({ faq, title }) => {
      const question = QUESTIONS[faq];
      return question ? [{ title, question }] : [];
    })
    .slice(0, QUESTIONS_EACH)
    .map(({ title, question: { question, expected } }): CatalogTest => {
      return { name: `Answers: ${title}`, steps: [{ says: question }], tool_mocks: [], expect: [{ said: expected }] };
    });
  const tasks = Object.entries(TASKS).flatMap(([tool, test]) => (tools.includes(tool) ? [test] : []));
  return [...questions, ...tasks, IDENTITY, OPT_OUT];
}
