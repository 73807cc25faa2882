import { counted, formatNumber } from "../format.ts";

const people = (count: number) => counted(count, "person", "people");

/** The list of campaigns. */
export const campaigns = {
  title: "Campaigns",
  lead: "Lists of people that an agent calls, one list a campaign.",
  add: "New campaign",
  columns: { name: "Name", state: "State", progress: "Progress", agent: "Agent", when: "When" },
  importing: "Reading its list",
  filters: { status: "State", search: "Search by name", clear: "Clear the filters" },
  emptyTitle: "No campaigns yet",
  empty: "A campaign calls everybody in a CSV file, one after the other, with one of your agents. Begin with the file.",
  noneTitle: "No campaign is like that",
  none: "Nothing fits the filters.",
  noAgent: "No agent yet",
  goneAgent: "Deleted agent",
  when: { created: "Created", started: "Started", ended: "Ended" },
  progress: {
    none: "No contacts",
    done: (done: number, all: number) => `${formatNumber(done)} of ${formatNumber(all)}`,
    parts: {
      completed: (count: number) => `${people(count)} reached`,
      failed: (count: number) => `${formatNumber(count)} failed`,
      cancelled: (count: number) => `${formatNumber(count)} cancelled`,
      calling: (count: number) => `${formatNumber(count)} in a call`,
      pending: (count: number) => `${formatNumber(count)} waiting`,
    },
  },
};
