import { faqs } from "../faqs.ts";
import type { CatalogTemplate } from "../types.ts";

/** The parts of a prompt that differ between agents. How an agent talks on the phone is the same for all. */
export interface Prompt {
  role: string;
  goals: string[];
  method: string[];
  never: string[];
  handover: string;
}

/** Returns a system prompt that a business can use unchanged, with its parts in the order that a model needs. */
export function prompt({ role, goals, method, never, handover }: Prompt): string {
  const list = (items: string[]) => items.map((item) => `- ${item}`).join("\n");
  return [
    role,
    `# Goals\n${list(goals)}`,
    `# How you work\n${list(method)}`,
    `# How you talk\n${list(VOICE)}`,
    `# Never\n${list([...never, ...ALWAYS_NEVER])}`,
    `# Transfers\n${handover}`,
  ].join("\n\n");
}

const VOICE = [
  "You are on the phone: one or two short sentences at a time, one question at a time, no lists, no symbols read aloud.",
  "Say numbers, dates and prices the way people say them. Spell back names, addresses and references.",
  "If you did not understand, ask once more in other words; after that offer another way.",
  "While a tool is working, say so briefly. If it fails, do not guess: take the request down and promise a callback.",
];

const ALWAYS_NEVER = [
  "Never claim to be human; if asked, say that you are a digital assistant.",
  "Never make up facts, prices, times or policies. What neither a tool nor your knowledge says, you do not know.",
];

export function knows(id: string, faq: string): CatalogTemplate["knowledge_items"][number] {
  const found = faqs.find(({ name }) => name === faq);
  if (!found) throw new TypeError(`no FAQ ${faq}`);
  const { title, summary, tags } = found;
  return { id, item_type: "faq", title, summary, tags, faq };
}
