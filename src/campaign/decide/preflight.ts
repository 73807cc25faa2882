import { type LeftOut, leftOutInWords } from "../../agent/agents/context.ts";
import { MAX_VALUE_CHARS } from "../../kernel/rendering/render.ts";
import type { CallingWindow } from "./calling-windows.ts";

/** The warnings of a plan: everything that prevents a start, and settings that are probably unintended. */
export const WARNING_CODES = [
  "incomplete",
  "agent_archived",
  "not_published",
  "agent_draft",
  "no_runtime",
  "no_model",
  "no_timezone",
  "no_account_timezone",
  "unused_time_zones",
  "missing_variables",
  "long_values",
  "context_left_out",
  "language_without_phrases",
  "setting_without_effect",
  "disclosure_language",
  "destination_not_allowed",
  "caps",
] as const;

export interface Warning {
  code: (typeof WARNING_CODES)[number];
  /** The problem and what to do about it, for an operator. */
  message: string;
}

/** A placeholder in the agent's texts that has no value for some contacts. */
export interface MissingVariable {
  name: string;
  /** Number of sampled contacts without a value; null if there is no such column. */
  empty: number | null;
}

/** The placeholders without a value, and the number of contacts that were sampled. */
export interface MissingVariables {
  variables: MissingVariable[];
  lookedAt: number;
}

/** The placeholders whose value is too long for some contacts, and the number of contacts that were sampled. */
export interface LongValues {
  variables: { name: string; contacts: number }[];
  lookedAt: number;
}

export interface PreflightFacts {
  /** The obstacles that prevent the campaign from dialing. */
  obstacles: Warning[];
  /** Null if there is no agent. */
  agentStatus: string | null;
  schedule: CallingWindow[] | null;
  /** Whether a user chose the campaign's time zone. */
  timezoneChosen: boolean;
  timezone: string;
  /** The agent's time zone, otherwise the account's; null if neither has one. */
  fallbackTimezone: string | null;
  /** Number of waiting contacts, and of those without their own time zone. */
  waiting: number;
  withoutTimezone: number;
  /** Columns that contain time zones although none is used as such. */
  zoneColumns: string[];
  missing: MissingVariables;
  long: LongValues;
  /** The agent's playbooks and FAQs that don't fit into its calls. */
  leftOut: LeftOut[];
  /** The warning that callers hear English sentences; null if they don't. */
  withoutPhrases: string | null;
  /** The agent's settings without effect at the campaign's carrier, as sentences. */
  withoutEffect: string[];
  /** Whether the disclosure is in another language than the agent speaks. */
  disclosedInAnother: boolean;
  /** Number of waiting contacts whose numbers the account's call settings don't allow. */
  notAllowed: number;
  callsPerDay: number;
}

/** Maximum number of names in a message; the rest are counted. */
const NAMED = 10;
/** Maximum characters of a name in a message, because any text between braces counts as a name. */
const NAME_CHARS = 40;

/** Returns what an operator should know before the campaign dials, most severe first. */
export function warnings(facts: PreflightFacts): Warning[] {
  return [
    ...facts.obstacles,
    draftAgent(facts),
    notAllowed(facts),
    noTimezone(facts),
    noAccountTimezone(facts),
    unusedTimeZones(facts),
    missingVariables(facts),
    longValues(facts),
    contextLeftOut(facts),
    withoutPhrases(facts),
    withoutEffect(facts),
    disclosureLanguage(facts),
    overCaps(facts),
  ].filter((warning) => warning !== null);
}

function draftAgent({ agentStatus }: PreflightFacts): Warning | null {
  if (agentStatus !== "draft") return null;
  return {
    code: "agent_draft",
    message: "the agent is still a draft, and calls would use it as it is: set its status to active once it is ready",
  };
}

function disclosureLanguage({ disclosedInAnother }: PreflightFacts): Warning | null {
  if (!disclosedInAnother) return null;
  return {
    code: "disclosure_language",
    message:
      "the disclosure has no text in the agent's language, so it is said in English: add one to disclosure in the " +
      "call settings",
  };
}

function noTimezone(facts: PreflightFacts): Warning | null {
  const { schedule, timezoneChosen, timezone, withoutTimezone } = facts;
  if (schedule === null || timezoneChosen || withoutTimezone === 0) return null;
  return {
    code: "no_timezone",
    message:
      `schedule_config has no time zone: ${contacts(withoutTimezone)} without one of their own would be called during its ` +
      `hours in ${timezone}; set timezone, such as America/New_York`,
  };
}

function noAccountTimezone(facts: PreflightFacts): Warning | null {
  const { timezoneChosen, fallbackTimezone, withoutTimezone } = facts;
  if (timezoneChosen || fallbackTimezone !== null || withoutTimezone === 0) return null;
  return {
    code: "no_account_timezone",
    message:
      `the agent would get the date and time in UTC on calls to ${contacts(withoutTimezone)}: neither they, their ` +
      "numbers, the campaign, the agent nor the account have a time zone; set the account's, such as " +
      "America/New_York",
  };
}

function unusedTimeZones({ zoneColumns: [column] }: PreflightFacts): Warning | null {
  if (column === undefined) return null;
  const shown = column.slice(0, NAME_CHARS);
  return {
    code: "unused_time_zones",
    message:
      `the column ${JSON.stringify(shown)} holds time zones, which are not used, because no column is called timezone: upload ` +
      `the list with the columns ${JSON.stringify({ timezone: shown })}, so that people are called in their own hours`,
  };
}

function missingVariables({ waiting, missing: { variables, lookedAt } }: PreflightFacts): Warning | null {
  if (variables.length === 0 || waiting === 0) return null;
  const among = lookedAt < waiting ? `the ${number(lookedAt)} contacts checked` : contacts(waiting);
  const named = variables.slice(0, NAMED).map(({ name, empty }) => {
    const written = `{{${name.slice(0, NAME_CHARS)}}}`;
    return empty === null
      ? `${written} is not a column of the file (${contacts(waiting)})`
      : `${written} is empty for ${number(empty)} of ${among}`;
  });
  const more = variables.length > NAMED ? `; and ${variables.length - NAMED} more` : "";
  const [first] = variables;
  return {
    code: "missing_variables",
    message:
      `the agent's texts use names that have no value and would be left blank: ${named.join("; ")}${more}; upload ` +
      `these columns, or add a default to the text, such as {{${first?.name.slice(0, NAME_CHARS)}|there}}`,
  };
}

function longValues({ waiting, long: { variables, lookedAt } }: PreflightFacts): Warning | null {
  if (variables.length === 0 || waiting === 0) return null;
  const among = lookedAt < waiting ? `the ${number(lookedAt)} contacts checked` : contacts(waiting);
  const named = variables
    .slice(0, NAMED)
    .map(({ name, contacts: n }) => `{{${name.slice(0, NAME_CHARS)}}} for ${number(n)} of ${among}`);
  const more = variables.length > NAMED ? `; and ${variables.length - NAMED} more` : "";
  return {
    code: "long_values",
    message:
      `values longer than ${MAX_VALUE_CHARS} characters would be cut in the agent's texts: ${named.join("; ")}${more}; ` +
      "shorten them, or take the names out of the texts: the agent also gets all values whole, as data",
  };
}

function contextLeftOut({ leftOut }: PreflightFacts): Warning | null {
  const message = leftOutInWords(leftOut);
  return message === null ? null : { code: "context_left_out", message };
}

function withoutPhrases({ withoutPhrases: message }: PreflightFacts): Warning | null {
  return message === null ? null : { code: "language_without_phrases", message };
}

function withoutEffect({ withoutEffect: settings }: PreflightFacts): Warning | null {
  if (settings.length === 0) return null;
  return {
    code: "setting_without_effect",
    message: `settings of the agent have no effect with the campaign's carrier: ${settings.join("; ")}`,
  };
}

function notAllowed({ notAllowed: n }: PreflightFacts): Warning | null {
  if (n === 0) return null;
  const [theirs, them] = n === 1 ? ["its destination", "it"] : ["their destinations", "them"];
  return {
    code: "destination_not_allowed",
    message:
      `${contacts(n)} would fail without a call, because the account's call settings do not allow ${theirs}: allow ` +
      `calls there in the call settings (allowed_destinations), or cancel ${them}`,
  };
}

function overCaps({ waiting, callsPerDay }: PreflightFacts): Warning | null {
  if (waiting <= callsPerDay) return null;
  const days = callsPerDay > 0 ? `, so this takes ${number(Math.ceil(waiting / callsPerDay))} days or more` : "";
  return {
    code: "caps",
    message: `${contacts(waiting)} are waiting, and the account can make ${number(callsPerDay)} calls a day${days}`,
  };
}

function contacts(n: number): string {
  return n === 1 ? "1 contact" : `${number(n)} contacts`;
}

function number(n: number): string {
  return n.toLocaleString("en-US");
}
