import { counted, formatDay, formatNumber } from "../format.ts";

/** Matches a value that is a date. */
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Formats a value that was found. */
function valueInWords(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return formatNumber(value);
  // Without a time, the day before would be shown west of Greenwich.
  return DAY.test(value) ? formatDay(`${value}T00:00`) : value;
}

/** Texts for the analysis of conversations: its settings and its findings. */
export const analysis = {
  title: "Analysis",
  verdicts: { success: "Successful", failure: "Not successful", unknown: "Unknown" },
  verdictsShort: { success: "Met", failure: "Not met", unknown: "Unknown" },
  statuses: { pending: "Being analyzed", done: "Analyzed", failed: "Analysis failed", skipped: "Not analyzed" },
  filter: "Result",
  anyResult: "All results",
  column: "Result",
  again: "Analyze again",
  first: "Analyze now",
  asked: "The analysis is in progress. The results appear here.",
  pending: "Being analyzed. The results appear here, usually within a minute.",
  live: "The conversation is analyzed after it ends.",
  off: "This conversation wasn't analyzed: analysis was off for its agent when it began.",
  setUp: "Set up analysis",
  failed: (why: string) => `The analysis failed: ${why}`,
  skipped: (why: string) => `Not analyzed: ${why}`,
  budget: "a budget was used up. Raise it under Budgets, then analyze again.",
  noReason: "no reason was given.",
  againTitle: "Analyze this conversation again?",
  againBody:
    "The agent's current analysis settings are used, and the new results replace the earlier ones. The tokens count toward budgets.",
  summary: "Summary",
  summaryNote: "In the model's words. It isn't verified.",
  goals: "Goals",
  values: "Values",
  noneAsked: "The agent's analysis has no goals and no values.",
  rationaleNone: "The model gave no reason.",
  states: {
    found: "Found",
    unverified: "Unverified",
    not_mentioned: "Not mentioned",
    invalid: "Not supported by the transcript",
  },
  explained: {
    not_mentioned: "Nobody said anything about it.",
    unverified: "The model found this, but the transcript doesn't confirm it. Check it against the conversation.",
    invalid: "The transcript contradicts the model's value, or the value has the wrong type, so it isn't shown.",
  },
  by: { caller: "The caller said it", agent: "The agent said it", tool: "A tool returned it" },
  value: valueInWords,
  cited: (at: string) => `Show what was said at ${at}`,
  restsOn: "See",
  readBy: (model: string, tokens: string) =>
    model === "scripted"
      ? "Analyzed by the built-in script, because no language model is connected."
      : `Analyzed by ${model}, ${tokens} tokens.`,
  onlyCaller: "A goal isn't met if only the caller says so.",

  contact: { successful: "Result", summary: "Summary", values: "Found in the conversation" },

  form: {
    lead: "Extracted from each conversation after it ends. Every value cites the turns it comes from and is checked against them.",
    enabled: "Analyze conversations",
    enabledHint:
      "Applies to conversations that begin after you save. Older ones can be analyzed one by one on their page.",
    model: "Analysis model",
    modelOwn: "The agent's own model",
    modelHint: "Its tokens count toward the account's budgets and usage.",
    summary: "Write a summary",
    summaryHint: "Two or three sentences in the model's own words.",
    criteria: "Goals",
    criteriaLead:
      "A conversation is successful if it met all of them, and not successful if it missed one. Say plainly when a goal is met.",
    noCriteria: "None yet. Without goals, no conversation counts as successful or not.",
    addCriterion: "Add a goal",
    name: "Name",
    nameHint: "Lowercase letters, digits and underscores.",
    criterionSample: "booked",
    instruction: "Met when",
    instructionSample: "The caller agreed to an appointment on a certain day.",
    data: "Values to find",
    dataLead:
      "Each becomes a column of exports and contacts, and a filter of conversations. Only values that the transcript confirms count; exports show the others as unverified.",
    noData: "None yet.",
    addValue: "Add a value",
    valueSample: "preferred_day",
    type: "Type",
    types: { text: "Text", number: "Number", boolean: "Yes or no", date: "Date", choice: "One of a list" },
    description: "What to look for",
    descriptionSample: "The day on which the caller would like to come.",
    choices: "The list",
    choicesHint: "Any other value counts as not supported.",
    remove: (name: string) => (name === "" ? "Remove this entry" : `Remove ${name}`),
    limits: (goals: number, values: number) =>
      `Up to ${counted(goals, "goal", "goals")} and ${counted(values, "value", "values")}.`,
  },
};
