import { counted, formatBytes, formatNumber, formatShare } from "../format.ts";

const contacts = (count: number) => counted(count, "contact", "contacts");
const rows = (count: number) => counted(count, "row", "rows");

/** A list of contacts on its way into a campaign, and a new campaign made of one. */
export const newCampaign = {
  title: "New campaign",
  lead: "Nobody is called before you start it.",
  defaultName: (day: string) => `Campaign of ${day}`,

  choose: {
    title: "Contacts",
    drop: "Drop a CSV file here",
    file: "Choose a file",
    paste: "Paste rows",
    about: "Up to 1,000,000 contacts and 100 MB. One column has the phone numbers; the agent can use all the others.",
    sample: "For example",
    pasteTitle: "Paste rows",
    pasteLabel: "Rows with a header, as copied from a spreadsheet",
    pasteVerb: "Use these rows",
    pasted: "Pasted rows",
    another: "Choose another file",
    problems: {
      workbook: "This is a workbook of a spreadsheet program. Save its sheet as CSV there, then choose that file.",
      not_text: "This is not a text file. Choose a CSV file.",
      empty: "The file is empty.",
    },
  },

  file: {
    read: (size: number, delimiter: string) => `${formatBytes(size)}, columns separated by ${delimiter}`,
    delimiters: { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" },
    noHeader: "The first row holds a number, so the columns have no names in the file. Name those you need.",
    encoding: "The file is not UTF-8. Its letters are read as older spreadsheets write them, and sent as UTF-8.",
  },

  columns: {
    title: "Columns",
    lead: "Say which column has the numbers. The others become variables that the agent can name.",
    useOf: (column: string) => `Use of ${column}`,
    nameOf: (column: string) => `Variable for ${column}`,
    uses: { phone: "Phone number", variable: "Variable", left_out: "Leave out" },
    timezone: "Whose clock the calling hours go by",
    faults: {
      no_phone: "Choose the column with the phone numbers.",
      no_name: "Give it a name.",
      repeated: "Another column has this name.",
      too_many: (columns: number, most: number) =>
        `${formatNumber(columns)} columns are used; at most ${formatNumber(most)} are taken. Leave some out.`,
    },
    missing: (agent: string, names: string) =>
      `${agent} names ${names}, and no column is called so: nothing would be said there.`,
    missingMore: "Rename a column to it, or write a default into the agent's texts.",
  },

  rows: {
    title: "Rows",
    first: "The first contacts, as they will be",
    line: "Line",
    phone: "Phone number",
    zone: "Time zone",
    checking: (share: number) => `Reading every row: ${formatShare(share)}`,
    unusable: "The file cannot be used as it is.",
    country: "Country of numbers without a country code",
    noCountry: "None: such numbers are rejected",
    countryHint: "Numbers that begin with a plus need none.",
    national: (count: number) =>
      `${counted(count, "number has", "numbers have")} no country code. Choose their country above.`,
    assumed: (count: number, country: string, examples: string) =>
      `${counted(count, "national number was", "national numbers were")} read as numbers of ${country}: ${examples}`,
    ambiguous: (count: number, country: string, examples: string) =>
      `${counted(count, "number has", "numbers have")} no plus, and could be of another country or of ${country}: ${examples}. Which is meant?`,
    international: (count: number) => (count === 1 ? "Read it with a plus" : "Read them with a plus"),
    ambiguousElse: "Otherwise these rows are left out, or can be mended below.",
    accepted: "will be called",
    rejected: "cannot be used",
    duplicates: "are repeated",
    duplicatesNote: (count: number) =>
      `${rows(count)} repeat a number of an earlier row. The first row of each number stays.`,
    ofCampaign: "Numbers that the campaign has already are dropped too, and counted in its report.",
    downloadDuplicates: "Download repeated rows",
    downloadRejects: "Download rejected rows",
    rejectsTitle: (count: number) => `${rows(count)} cannot be used`,
    reason: "What is wrong",
    row: "Row",
    mend: "Mend",
    mendLine: (line: number) => `Mend line ${line}`,
    mendTitle: (line: number) => `Line ${line}`,
    mendVerb: "Use this row",
    mendExtra: (cells: string) => `The row has more cells than the header: ${cells}. They are dropped.`,
    mended: (count: number) => `${rows(count)} mended here.`,
    undoMended: "Undo",
    shownOf: (shown: number, total: number) =>
      `The first ${formatNumber(shown)} of ${formatNumber(total)}. The download has all of them.`,
    choice: "What to do with them",
    skip: (left: number) => `Leave them out and upload the other ${formatNumber(left)}`,
    reject: "Upload nothing until every row is right",
    nothing: "No row can be used as it is.",
    tooMany: (most: number) => `A campaign has at most ${contacts(most)}. Split the file.`,
    tooLarge: (bytes: number) =>
      `${formatBytes(bytes)} would be sent, and at most 100 MB are taken. Leave columns out, or split the file.`,
    reasons: {
      empty: "No phone number",
      none: (written: string) => `${written} is not a phone number`,
      national: (written: string) => `${written} has no country code`,
      couldBe: (written: string, number: string) => `${written} could be ${number}`,
      zone: (written: string) => `The time zone ${written} is not known`,
      fields: (has: string, header: string) => `${has} cells, the header has ${header}`,
      quotes: "A quote is not closed, or text follows one",
    },
  },

  settings: "Settings",
  upload: {
    verb: (count: number) => `Upload ${contacts(count)}`,
    add: (count: number) => `Add ${contacts(count)}`,
    waiting: "Upload",
    preparing: (share: number) => `Writing the file without what is left out: ${formatShare(share)}`,
    sending: (sent: number, total: number) =>
      `${formatBytes(sent)} of ${formatBytes(total)} sent · ${formatShare(total === 0 ? 0 : sent / total)}`,
    storing: "All sent. The last rows are being stored…",
    stays: "Stay on this page until it is done: leaving it ends the upload, and nothing of it is kept.",
    cancel: "Cancel the upload",
    cancelled: "Cancelled. Nothing was kept.",
    leaveTitle: "Leave while the upload is going on?",
    leaveBody: "It ends, and nothing of it is kept.",
    leaveVerb: "End the upload",
    needsFile: "Choose the contacts first.",
    needsColumns: "Mend the columns first.",
    needsCheck: "Every row is being read.",
    needsMending: "Mend the rejected rows, or leave them out.",
  },
};

/** What became of a campaign's contacts on their way in, and adding more. */
export const importReport = {
  title: "Import",
  accepted: "became contacts",
  rejected: "were rejected",
  duplicates: "were repeated",
  reading: (count: number) => `The upload is still being read: ${contacts(count)} so far.`,
  allIn: (count: number) =>
    count === 1 ? "The one row of the upload became a contact." : `All ${formatNumber(count)} rows became contacts.`,
  empty: "No list was uploaded: its contacts came with the campaign it was cloned of.",
  rejects: {
    title: "Rejected rows",
    lead: (count: number) =>
      `${rows(count)} could not be used and were left out. Download them with their lines and what is wrong, mend them, and add them below: the columns that say so are overlooked.`,
    download: "Download rejected rows",
    mend: "Mend them here",
  },
  repeated: {
    title: "Repeated rows",
    lead: (count: number) => `${rows(count)} had a number that came before, and were dropped.`,
    download: "Download repeated rows",
  },
  add: {
    title: "Add contacts",
    lead: "From another file, or the mended rows. Its columns go by their names; new ones become variables of all contacts.",
    running: "The campaign is running. Pause it to add contacts.",
    over: "The campaign is over. Clone it to call more people.",
    importing: "More can be added once the upload has been read.",
    added: (accepted: number, rejected: number, duplicates: number) =>
      `${contacts(accepted)} added${rejected > 0 ? `, ${rows(rejected)} rejected` : ""}${duplicates > 0 ? `, ${counted(duplicates, "repeated number", "repeated numbers")} dropped` : ""}.`,
  },
  rejectsFile: (name: string) => `${name} rejected.csv`,
  repeatedFile: (name: string) => `${name} repeated.csv`,
};
