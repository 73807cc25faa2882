/**
 * A person whom the demo campaign calls. The last two digits of the number determine how the sandbox call goes. If it
 * is answered, the last digit determines who answers (carriers/sandbox-people.ts): a person who interrupts the agent
 * (6) or opts out (8).
 */
interface Contact {
  phone_number: string;
  name: string;
  company: string;
  note: string;
}

const PEOPLE: [ending: string, name: string, company: string, note?: string][] = [
  ["11", "Ada Lovelace", "Analytical Engines, Ltd."],
  ["12", "Grace Hopper", "Navy Yard", 'Prefers to be called "Amazing Grace"'],
  ["01", "Alan Turing", "Bletchley & Co."],
  ["13", "Jürgen Müller", "Bäckerei Müller, Köln", "Sprich langsam,\nbitte"],
  ["02", "Zoë Núñez", "Café Olé"],
  ["14", "Katherine Johnson", "Langley, Inc."],
  ["05", "Margaret Hamilton", "Apollo Software", "Leave no message on a machine"],
  ["15", "Linus Sørensen", "Fjord Kernels"],
  ["16", 'Barbara "Babs" Liskov', "Clusters"],
  ["03", "Edsger Dijkstra", "Shortest Path, B.V."],
  ["17", "Dorothy Vaughan", "West Area Computing"],
  ["04", "Dennis Ritchie", "Portable Systems"],
  ["18", "Łukasz Żółć", "Gdańsk Telefonia"],
  ["07", "Radia Perlman", "Spanning Trees", "Line 1\nLine 2, with a comma"],
  ["19", "Hedy Lamarr", "Frequency Hop"],
  ["20", "Claude Shannon", "Bits, Unlimited"],
  ["21", "Joan Clarke", "Hut 8"],
  ["30", "Tim Berners-Lee", "Enquire Within"],
  ["22", "Annie Easley", "Centaur"],
  ["23", "李 明", "东方电话"],
  ["24", "Mary Jackson", "Wind Tunnels"],
  ["25", "Seán Ó Briain", "Cork Calling"],
];
/** Contacts with another prefix but the same last digits: busy, a machine, and a person who answers. */
const ELSEWHERE: typeof PEOPLE = [
  ["01", "Ken Thompson", "Unics"],
  ["05", "Frances Allen", "Fortran & Daughters"],
  ["31", "Vint Cerf", "Catenet"],
];

export const CONTACTS: Contact[] = [
  ...PEOPLE.map((person) => contact("+120255501", person)),
  ...ELSEWHERE.map((person) => contact("+141555501", person)),
];

const NAMES = new Map(CONTACTS.map(({ phone_number, name }) => [phone_number, name]));

/** Returns the name of the contact with this number; "" if the campaign does not call it. */
export function nameOf(phoneNumber: string): string {
  return NAMES.get(phoneNumber) ?? "";
}

function contact(prefix: string, [ending, name, company, note = ""]: (typeof PEOPLE)[number]): Contact {
  return { phone_number: prefix + ending, name, company, note };
}

/** Returns the contacts as CSV (RFC 4180): a cell with a comma, a quote or a line break is quoted. */
export function contactsCsv(): string {
  const rows = CONTACTS.map(({ phone_number, name, company, note }) => [phone_number, name, company, note]);
  const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [["phone_number", "name", "company", "note"], ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
