/** The report of the demo's campaign: who was reached, and what was said. */
import { styleText } from "node:util";
import { type Schema, type Switchboard, SwitchboardError } from "../../packages/sdk/src/index.ts";
import { CONTACTS, nameOf } from "./demo-contacts.ts";
import { DEMO_TOOL } from "./demo-tools.ts";

/** How often contacts are polled, and the interval, ms: a conversation's record may arrive shortly after its call. */
const LOOKS = 25;
const LOOK_MS = 200;
/** Polling stops after this many polls without a change. */
const QUIET_LOOKS = 10;

type Contact = Schema<"Contact">;

/** Removes contacts who opted out in an earlier run from the do-not-call list, and returns their names. */
export async function allowCalls(owner: Switchboard): Promise<string[]> {
  const allowed: string[] = [];
  for (const { phone_number, name } of CONTACTS) {
    try {
      await owner.doNotCall.remove(phone_number);
      allowed.push(name);
    } catch (error) {
      if (!(error instanceof SwitchboardError && error.status === 404)) throw error;
    }
  }
  return allowed;
}

/** Describes the results of the contacts, the highlights of their conversations, and one conversation in full. */
export async function report(owner: Switchboard, campaignId: string): Promise<string> {
  const contacts = await contactsAtRest(owner, campaignId);
  const parts = [table(contacts), await highlights(owner, contacts), await transcript(owner, contacts)];
  return parts.filter((part) => part !== "").join("\n");
}

/** Returns the contacts once nothing more is being recorded about them. */
async function contactsAtRest(owner: Switchboard, campaignId: string): Promise<Contact[]> {
  let contacts: Contact[] = [];
  let quiet = 0;
  let before = -1;
  for (let look = 0; look < LOOKS; look++) {
    contacts = await owner.campaigns.contacts(campaignId, { limit: 1000 }).toArray();
    const missing = contacts.filter(({ conversation_id, disposition }) => conversation_id && !disposition).length;
    quiet = missing === before ? quiet + 1 : 0;
    if (missing === 0 || quiet >= QUIET_LOOKS) break;
    before = missing;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return contacts;
}

const COLUMNS = { contact: 24, number: 15, outcome: 12, attempts: 10 };

function table(contacts: Contact[]): string {
  const { contact, number, outcome, attempts } = COLUMNS;
  const row = (cells: [name: string, number: string, outcome: string, attempts: string, disposition: string]) =>
    `  ${[contact, number, outcome, attempts].map((width, i) => padded(cells[i] ?? "", width)).join("")}${cells[4]}`;
  const rows = contacts.map((one) =>
    row([
      nameOf(one.phone_number),
      one.phone_number,
      one.outcome ?? one.status,
      String(one.attempt_count),
      one.disposition ?? styleText("dim", "–"),
    ]).trimEnd(),
  );
  const outcomes = Map.groupBy(contacts, (one) => one.outcome ?? one.status);
  const counts = [...outcomes]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([word, who]) => `${who.length} ${word}`);
  const head = styleText("bold", row(["contact", "number", "outcome", "attempts", "disposition"]));
  return ["", head, ...rows, "", `  ${contacts.length} contacts: ${counts.join(", ")}`].join("\n");
}

/** Describes interruptions, tool runs and opt-outs. */
async function highlights(owner: Switchboard, contacts: Contact[]): Promise<string> {
  const lines: string[] = [];
  for (const { phone_number, conversation_id } of contacts) {
    if (!conversation_id) continue;
    const turns = (await owner.conversations.get(conversation_id)).turns ?? [];
    const who = nameOf(phone_number);
    for (const { text } of turns.filter(({ interrupted }) => interrupted))
      lines.push(`${who} interrupted the agent after “${text}”`);
    const tools = turns.filter(({ role }) => role === "tool").map(({ text }) => text);
    if (tools.length > 0) lines.push(`with ${who}, the agent used ${tools.join(", ")}`);
  }
  const numbers = await owner.doNotCall.list({ limit: 100 }).toArray();
  const names = numbers.map(({ phone_number }) => nameOf(phone_number)).filter((name) => name !== "");
  for (const name of names) lines.push(`${name} is now on the do-not-call list`);
  return lines.map((line) => `  ${styleText("cyan", "·")} ${line}\n`).join("");
}

/** Quotes the turns around the use of a vendor's tool, otherwise around the first turn with the contact's name. */
async function transcript(owner: Switchboard, contacts: Contact[]): Promise<string> {
  let shown: { name: string; text: string } | null = null;
  for (const { phone_number, conversation_id } of contacts) {
    if (!conversation_id) continue;
    const text = await owner.conversations.transcript(conversation_id);
    const name = nameOf(phone_number);
    if (!text.includes(name)) continue;
    shown ??= { name, text };
    if (!text.includes(`Tool: ${DEMO_TOOL}(`)) continue;
    shown = { name, text };
    break;
  }
  if (!shown) return "";
  const lines = shown.text.trimEnd().split("\n");
  const head = styleText("bold", `conversation with ${shown.name}`);
  return [`  ${head}`, ...lines.map((line) => `  ${line}`), ""].join("\n");
}

/** Pads a cell to a width in columns. A Chinese character takes two. */
function padded(text: string, width: number): string {
  const shown = [...text].reduce((sum, char) => sum + (/\p{Script=Han}/u.test(char) ? 2 : 1), 0);
  return text + " ".repeat(Math.max(1, width - shown));
}
