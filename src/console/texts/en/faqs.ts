/** FAQs: what agents answer from. */
export const faqs = {
  title: "FAQs",
  lead: "Answers that agents give in your words. Attach them to an agent to have it know them.",
  add: "New FAQ",
  emptyTitle: "No FAQs yet",
  empty: "An FAQ is a question your callers ask and the answer they should get. Write one, then attach it to an agent.",
  fields: { title: "Title", name: "Name", content: "Answer", updated: "Updated" },
  nameHint: "Lower case, digits and underscores: what the API and agents call it. It stays.",
  contentHint: "Markdown. The agent says it in its own words.",
  default: "Comes with Switchboard",
  deleteTitle: (title: string) => `Delete “${title}”?`,
  deleteBody: "Agents that have it attached no longer know it. This cannot be undone.",
};
