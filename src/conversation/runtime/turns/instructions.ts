import type { SessionSnapshot } from "../session/session.ts";

/** Characters of what the agent knows that go into its instructions; more would cost every turn. */
const MAX_KNOWLEDGE_CHARS = 60_000;

/** What a model is told before anything is said: who it is, how it speaks, and what it knows. */
export function instructionsOf({ kind, agent, playbooks, faqs, variables }: SessionSnapshot): string {
  const medium =
    kind === "call"
      ? "You are on a phone call: what you write is spoken. Use short plain sentences, no lists, no markup, no emoji."
      : "You are in a chat on a web page. Write short plain text.";
  const facts = Object.entries(variables).map(([name, value]) => `${name}: ${value}`);
  const parts = [
    agent.system_prompt,
    medium,
    "Never say that you did something unless a tool's result says so.",
    section("What you know about the other person", facts),
    section(
      "How to handle tasks",
      playbooks.map(({ display_name, content }) => `# ${display_name}\n${content}`),
    ),
    section(
      "Questions and answers",
      faqs.map(({ title, summary, content }) => `# ${title}\n${content || summary}`),
    ),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function section(title: string, entries: string[]): string {
  if (entries.length === 0) return "";
  return `## ${title}\n${entries.join("\n")}`.slice(0, MAX_KNOWLEDGE_CHARS);
}
