import { counted, formatBytes, formatNumber, formatShare } from "../format.ts";

const contacts = (count: number) => counted(count, "contact", "contacts");
const rows = (count: number) => counted(count, "row", "rows");
const wasSkipped = (count: number) => (count === 1 ? "was skipped" : "were skipped");

/** Texts for importing a list of contacts, and for creating a campaign from it. */
export const newCampaign = {
  title: "New campaign",
  lead: "No one is called until you start the campaign.",
  defaultName: (day: string) => `Campaign ${day}`,

  choose: {
    title: "Contacts",
    drop: "Drop a CSV file here",
    file: "Choose a file",
    paste: "Paste rows",
    about: "Up to 1,000,000 contacts and 100 MB. One column holds the phone numbers. The agent can use all the others.",
    sample: "Example",
    pasteTitle: "Paste rows",
    pasteLabel: "Rows with a header, as copied from a spreadsheet",
    pasteVerb: "Use these rows",
    pasted: "Pasted rows",
    another: "Choose another file",
    replaceTitle: "Replace this file?",
    removeTitle: "Remove this file?",
    remove: "Remove file",
    lostBody: (fixed: number) => `The fixes of ${rows(fixed)} are lost. This can't be undone.`,
    replaceVerb: "Replace file",
    keep: "Keep this file",
    problems: {
      workbook: "This is a spreadsheet workbook. Export the sheet as CSV, then choose that file.",
      not_text: "This isn't a text file. Choose a CSV file.",
      empty: "The file is empty.",
    },
  },

  file: {
    read: (size: number, delimiter: string) => `${formatBytes(size)}, columns separated by ${delimiter}`,
    delimiters: { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" },
    noHeader:
      "The first row contains a number, so the columns have no names. Name the ones you need. A header line is added, so line numbers are one higher than in your file.",
    encoding: "The file isn't UTF-8. It is read with the encoding older spreadsheets use and uploaded as UTF-8.",
  },

  columns: {
    title: "Columns",
    lead: "One column holds the phone numbers. The others become variables the agent can use.",
    useOf: (column: string) => `Use of ${column}`,
    nameOf: (column: string) => `Variable for ${column}`,
    uses: { phone: "Phone number", variable: "Variable", left_out: "Leave out" },
    timezone: "Each contact's time zone, used for calling hours",
    faults: {
      no_phone: "Choose the column with the phone numbers.",
      no_name: "Enter a name.",
      repeated: "Another column has this name.",
      reserved: "This name is reserved. Enter another one.",
      too_many: (columns: number, most: number) =>
        `${formatNumber(columns)} columns are selected, but the limit is ${formatNumber(most)}. Leave some out.`,
    },
    missing: (agent: string, names: string) =>
      `${agent} uses ${names}, but no column has that name. It would be left blank.`,
    propose: (column: string, variable: string) => `Use ${column} as ${variable}`,
    missingMore: "Rename a column, or add a default to the agent's prompt.",
  },

  rows: {
    title: "Rows",
    first: "Preview of the first contacts",
    line: "Line",
    phone: "Phone number",
    zone: "Time zone",
    checking: (share: number) => `Checking every row: ${formatShare(share)}`,
    unusable: "This file can't be used as it is.",
    country: "Country of numbers without a country code",
    noCountry: "None, reject these numbers",
    countryHint: "Numbers starting with + don't need one.",
    national: (count: number) =>
      `${counted(count, "number has", "numbers have")} no country code. Choose their country above.`,
    assumed: (count: number, country: string, examples: string) =>
      `${counted(count, "number", "numbers")} without a country code ${count === 1 ? "was" : "were"} read as ${country}: ${examples}.`,
    alsoValid: (count: number) =>
      `${formatNumber(count)} of them would also be ${count === 1 ? "a valid number" : "valid numbers"} of another country.`,
    example: (written: string, number: string, other?: string) =>
      `${written} → ${number}${other === undefined ? "" : ` or ${other}`}`,
    questions: {
      either: {
        ask: (count: number, country: string, examples: string) =>
          `${counted(count, "number", "numbers")} without a plus could be from ${country} or from another country: ${examples}. Which is right?`,
        leave: () => "Leave out",
        left: (count: number) =>
          `${counted(count, "number", "numbers")} that could be from two countries will be left out.`,
      },
      alsoValid: {
        ask: (count: number, country: string, examples: string) =>
          `${counted(count, "number was", "numbers were")} read as ${country}, but could be from another country: ${examples}. Which is right?`,
        leave: (country: string) => `Read as ${country}`,
        left: (count: number, country: string) =>
          `${counted(count, "number", "numbers")} that could be from two countries will be read as ${country}.`,
      },
      withPlus: "Add the plus",
      national: (country: string) => `Read as ${country}`,
      again: "Change",
    },
    accepted: "will be called",
    rejected: "can't be used",
    duplicates: "are duplicates",
    duplicatesNote: (count: number) =>
      `${rows(count)} ${count === 1 ? "repeats" : "repeat"} a number from an earlier row. The first row for each number is kept.`,
    ofCampaign: "Numbers already in the campaign are also skipped and counted in the report.",
    downloadDuplicates: "Download duplicate rows",
    downloadRejects: "Download rejected rows",
    rejectsTitle: (count: number) => `${rows(count)} can't be used`,
    reason: "Problem",
    row: "Row",
    fix: "Fix",
    fixLine: (line: number) => `Fix line ${line}`,
    fixTitle: (line: number) => `Line ${line}`,
    fixVerb: "Use this row",
    fixExtra: (cells: string) => `The row has more cells than the header: ${cells}. They will be dropped.`,
    fixed: (count: number) => `${rows(count)} fixed here.`,
    undoFixes: "Undo all fixes",
    tooManyFixes:
      "This fix wasn't applied: an upload can carry 1 MB of fixes, and the limit is reached. Skip the remaining rows and upload the others. Then download the rejected rows from the import report, fix them in a spreadsheet and add them to the campaign.",
    shownOf: (shown: number, total: number) =>
      `The first ${formatNumber(shown)} of ${formatNumber(total)}. Download the file to see all of them.`,
    choice: "What to do with these rows",
    skip: (left: number) => `Skip them and upload the other ${formatNumber(left)}`,
    reject: "Don't upload until every row is valid",
    nothing: "None of the rows can be used as they are.",
    tooMany: (most: number) => `A campaign can have up to ${contacts(most)}. Split the file.`,
    tooLarge: (bytes: number) =>
      `The file is ${formatBytes(bytes)}, but the limit is 100 MB. Split it into several files.`,
    reasons: {
      empty: "No phone number",
      none: (written: string, likely: string) => `${written} isn't a valid phone number${meant(likely)}`,
      national: (written: string, likely: string) => `${written} has no country code${meant(likely)}`,
      several: (written: string) => `Several numbers in one cell: ${written}`,
      extension: (written: string, likely: string) => `Extensions can't be called: ${written}${meant(likely)}`,
      digitsLost: (written: string) => `A spreadsheet shortened this number: ${written}`,
      couldBe: (written: string, numbers: string[]) => `${written} could be ${numbers.join(" or ")}`,
      zone: (written: string) => `Unknown time zone ${written}`,
      zoneAbbreviated: (written: string, zones: string) => `${written} isn't a time zone of a region. Use ${zones}`,
      fields: (has: string, header: string) => `${has} cells, but the header has ${header}`,
      quotes: "Unclosed quote, or text after a closing quote",
    },
  },

  settings: "Settings",
  upload: {
    verb: (count: number) => `Upload ${contacts(count)}`,
    add: (count: number) => `Add ${contacts(count)}`,
    waiting: "Upload",
    sending: (sent: number, total: number) =>
      `${formatBytes(sent)} of ${formatBytes(total)} sent · ${formatShare(total === 0 ? 0 : sent / total)}`,
    storing: "Upload complete. Saving the last rows…",
    stays: "Stay on this page until the upload finishes. Leaving cancels it and nothing is saved.",
    cancel: "Cancel upload",
    cancelled: "Canceled. Nothing was saved.",
    leaveTitle: "Leave during the upload?",
    leaveBody: "The upload will be canceled and nothing is saved.",
    leaveVerb: "Leave",
    needsFile: "Choose contacts first.",
    needsColumns: "Fix the columns first.",
    needsCheck: "Checking every row.",
    needsAnswer: "Answer the question about numbers without a country code.",
    needsFixes: "Fix the rejected rows or skip them.",
  },
};

/** Texts for the result of importing contacts, and for adding more. */
export const importReport = {
  title: "Import",
  accepted: "imported",
  rejected: "rejected",
  duplicates: "duplicates",
  reading: (count: number) => `Importing: ${contacts(count)} so far.`,
  allIn: (count: number) => (count === 1 ? "1 row imported." : `All ${formatNumber(count)} rows imported.`),
  empty: "No file was uploaded. The contacts came from the cloned campaign.",
  rejects: {
    title: "Rejected rows",
    lead: (count: number) => `${rows(count)} couldn't be used and ${wasSkipped(count)}.`,
    howToFix:
      "Download them with their line numbers and problems, fix them, and add them below. The extra columns are ignored.",
    download: "Download rejected rows",
    fixHere: "Fix them here",
  },
  repeated: {
    title: "Duplicate rows",
    lead: (count: number) => `${rows(count)} repeated an earlier number and ${wasSkipped(count)}.`,
    download: "Download duplicate rows",
  },
  add: {
    title: "Add contacts",
    lead: "Upload another file or the fixed rows. Columns are matched by name; new columns become variables for all contacts.",
    running: "The campaign is running. Pause it to add contacts.",
    over: "The campaign is over. Clone it to call more people.",
    importing: "You can add more when the import is done.",
    added: (accepted: number, rejected: number, duplicates: number) =>
      `${contacts(accepted)} added${rejected > 0 ? `, ${rows(rejected)} rejected` : ""}${duplicates > 0 ? `, ${counted(duplicates, "duplicate", "duplicates")} skipped` : ""}.`,
  },
  rejectsFile: (name: string) => `${name} rejected.csv`,
  repeatedFile: (name: string) => `${name} repeated.csv`,
};

/** Names the number that was probably meant. */
function meant(likely: string): string {
  return likely === "" ? "" : `. Did you mean ${likely}?`;
}
