import { counted, formatNumber } from "../format.ts";

const people = (count: number) => counted(count, "person", "people");

export const campaigns = {
  title: "Campaigns",
  lead: "Each campaign calls a list of contacts with one of your agents.",
  add: "New campaign",
  columns: { name: "Name", state: "Status", progress: "Progress", agent: "Agent", when: "When" },
  importing: "Importing contacts",
  filters: { status: "Status", search: "Search by name" },
  emptyTitle: "No campaigns yet",
  empty: "A campaign calls everyone in a CSV file with one of your agents. Start by uploading the file.",
  nothingTitle: "No matching campaigns",
  nothing: "Try fewer filters.",
  clear: "Clear filters",
  noAgent: "No agent yet",
  goneAgent: "Deleted agent",
  when: { created: "Created", started: "Started", ended: "Ended" },
  progress: {
    none: "No contacts",
    done: (done: number, all: number) => `${formatNumber(done)} of ${formatNumber(all)}`,
    parts: {
      completed: (count: number) => `${people(count)} reached`,
      failed: (count: number) => `${formatNumber(count)} failed`,
      cancelled: (count: number) => `${formatNumber(count)} canceled`,
      calling: (count: number) => `${formatNumber(count)} in a call`,
      pending: (count: number) => `${formatNumber(count)} waiting`,
    },
  },
};
