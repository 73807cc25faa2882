/** The parts of every playbook. */
export interface Page {
  title: string;
  objective: string;
  when: string[];
  steps: string[];
  edges: string[];
  escalate: string;
}

/** Returns a playbook's markdown, in the order in which an agent needs it. */
export function page({ title, objective, when, steps, edges, escalate }: Page): string {
  const list = (items: string[]) => items.map((item) => `- ${item}`).join("\n");
  return [
    `# ${title}`,
    `## Objective\n\n${objective}`,
    `## When to use it\n\n${list(when)}`,
    `## Steps\n\n${steps.map((step, i) => `${i + 1}. ${step}`).join("\n")}`,
    `## Edge cases\n\n${list(edges)}`,
    `## Escalation\n\n${escalate}`,
  ].join("\n\n");
}
