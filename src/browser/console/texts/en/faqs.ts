/** Texts for FAQs, from which agents answer. */
export const faqs = {
  title: "FAQs",
  lead: "Answers to common questions. Attach them to an agent so it can use them.",
  add: "New FAQ",
  emptyTitle: "No FAQs yet",
  empty:
    "An FAQ is a question your callers ask and the answer they should get. Create one, then attach it to an agent.",
  nothingTitle: "No matching FAQs",
  nothing: "Try other words or another category.",
  clear: "Clear filters",
  searchLabel: "Search",
  fields: {
    title: "Title",
    name: "Name",
    summary: "Summary",
    content: "Answer",
    category: "Category",
    tags: "Tags",
    origin: "Origin",
    updated: "Updated",
  },
  nameHint: "Lowercase letters, digits and underscores. Used by the API and agents; can't be changed later.",
  summaryHint: "Helps agents with many FAQs find the right one.",
  contentHint: "Markdown. The agent answers in its own words.",
  tagsHint: "For finding it in the list.",
  deleteTitle: (title: string) => `Delete “${title}”?`,
  deleteBody: "Agents that use it lose this answer. This can't be undone.",
};
