/** `npm run demo` runs the main job against the running service, from an agent to a finished campaign. */
import { styleText } from "node:util";
import { type Switchboard, SwitchboardError } from "../../packages/sdk/src/index.ts";
import { CONTACTS, contactsCsv, nameOf } from "./demo-contacts.ts";
import { ACME, ACME_NUMBER } from "./demo-data.ts";
import { allowCalls, report } from "./demo-report.ts";
import { attachDemoTool, DEMO_TOOL } from "./demo-tools.ts";
import { explain, signIn } from "./sign-in.ts";

const BASE = process.env.BASE_URL || `http://127.0.0.1:${process.env.PORT || 8787}`;
/** The service's own address, which tools may request (TOOL_HOSTS). */
const SELF = `http://localhost:${new URL(BASE).port}`;
const CONSOLE = `${process.env.BASE_URL || SELF}/console/campaigns/`;
const COLORS = {
  originated: "cyan",
  connected: "blue",
  completed: "green",
  failed: "red",
  cancelled: "yellow",
} as const;
const FINAL = ["completed", "failed", "cancelled"];
/** FAQs that every account has. The agent answers from them. */
const FAQS = ["opening_hours", "delivery_times", "returns_and_refunds", "payment_methods", "talk_to_a_person"];

interface Transition {
  phone_number: string;
  status: string;
  reason?: string | null;
}

try {
  await demo();
} catch (error) {
  const refused = error instanceof SwitchboardError && error.status === 401;
  const hint = `${ACME.email} cannot sign in at ${BASE}: was it started with npm start, and is password sign-in on?`;
  console.error(refused ? hint : explain(error, BASE));
  process.exit(1);
}

async function demo(): Promise<void> {
  const owner = await signIn(BASE, ACME);
  step(`signed in as ${ACME.email}`);

  const agent = await owner.agents.create({
    name: "Spring offer",
    status: "active",
    category: "sales",
    system_prompt: "You call customers about the spring offer. Be brief, and take no for an answer.",
    greeting_message: "Hello {{name}}, this is Acme. Is now a good time?",
  });
  for (const faq_id of FAQS) await owner.agents.attachFaq(agent.id, { faq_id });
  step(`created the agent ${agent.name} with ${FAQS.length} FAQs`, agent.id);

  const putBack = await attachDemoTool(owner, agent.id, SELF);
  step(`attached the tool ${DEMO_TOOL}, which uses a simulated Shopify on this machine`);

  const from = await sandboxNumber(owner, agent.id);
  step(`calling from ${from}, on the sandbox carrier`);

  const allowed = await allowCalls(owner);
  if (allowed.length > 0)
    step(`removed from the do-not-call list, where an earlier run put them: ${allowed.join(", ")}`);

  const campaign = await owner.campaigns.create({
    name: "Spring offer",
    agent_id: agent.id,
    from_number: from,
    contacts: contactsCsv(),
  });
  step(`uploaded ${CONTACTS.length} contacts`, campaign.id);
  step(`watch it in the console: ${CONSOLE}${campaign.id}`);

  try {
    await follow(owner, campaign.id);
    console.log(await report(owner, campaign.id));
  } finally {
    await putBack();
  }
}

/** Returns the account's number to call from, and creates the sandbox number if there is none. */
async function sandboxNumber(owner: Switchboard, agent_id: string): Promise<string> {
  const numbers = await owner.numbers.list().toArray();
  const there = numbers.find(({ provider, outbound_enabled }) => provider === "sandbox" && outbound_enabled);
  if (there) return there.e164;
  return (await owner.numbers.create({ e164: ACME_NUMBER, provider: "sandbox", agent_id })).e164;
}

/** Starts the campaign once the stream is open, and prints the stream until the campaign ends. */
async function follow(owner: Switchboard, id: string): Promise<void> {
  const statuses = new Map<string, string>();
  for await (const { name, data } of owner.campaigns.events(id)) {
    if (name === "snapshot") {
      if (statuses.size > 0) continue;
      await owner.campaigns.start(id);
      step("started the campaign; these are its live events\n");
      continue;
    }
    if (!("phone_number" in data)) {
      if (data.status === "running") continue;
      clearProgress();
      console.log();
      step(`the campaign is ${data.status}${"reason" in data && data.reason ? `: ${data.reason}` : ""}`);
      return;
    }
    statuses.set(data.phone_number, data.status);
    const done = [...statuses.values()].filter((status) => FINAL.includes(status)).length;
    print(data, done);
    progress(done);
  }
}

function step(text: string, detail = ""): void {
  console.log(`${styleText("green", "✓")} ${text} ${styleText("dim", detail)}`.trimEnd());
}

function print({ phone_number, status, reason }: Transition, done: number): void {
  clearProgress();
  const color = COLORS[status as keyof typeof COLORS] ?? "dim";
  const name = nameOf(phone_number);
  const why = reason ? styleText("dim", `  ${reason}`) : "";
  const count = styleText("dim", `${done}/${CONTACTS.length}`.padStart(5));
  console.log(`${count}  ${styleText(color, status.padEnd(11))}${phone_number.padEnd(14)}${name}${why}`);
}

/** Draws the progress line at the bottom of a terminal. Without a terminal it draws nothing. */
function progress(done: number): void {
  if (!process.stdout.isTTY) return;
  const filled = Math.round((done / CONTACTS.length) * 30);
  process.stdout.write(`  ${"█".repeat(filled)}${"░".repeat(30 - filled)} ${done}/${CONTACTS.length}`);
}

function clearProgress(): void {
  if (process.stdout.isTTY) process.stdout.write("\r\x1b[K");
}
