export interface PlaybookFields {
  display_name: string;
  description: string;
  tool_names: string[];
  triggers: string[];
  content: string | null;
}

/** Returns the playbook's own markdown, or a page made of its fields. */
export function playbookMarkdown({ display_name, description, tool_names, triggers, content }: PlaybookFields): string {
  if (content !== null) return content;
  return [
    `# ${display_name}`,
    description,
    triggers.length > 0 && `## When to use it\n\n${triggers.map((trigger) => `- ${trigger}`).join("\n")}`,
    tool_names.length > 0 && `## Tools\n\n${tool_names.map((name) => `- \`${name}\``).join("\n")}`,
  ]
    .filter((part) => part)
    .join("\n\n");
}
