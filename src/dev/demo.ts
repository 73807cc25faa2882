/** `npm run demo`: the main job against the running service, from an agent to a finished campaign. */
import { styleText } from "node:util";
import { ApiClient, UnexpectedAnswer } from "./client.ts";
import { CONTACTS, contactsCsv, nameOf } from "./demo-contacts.ts";
import { ACME, ACME_NUMBER } from "./demo-data.ts";
import { allowCalls, report } from "./demo-report.ts";
import { attachDemoTool, DEMO_TOOL } from "./demo-tools.ts";
import { events } from "./event-stream.ts";

const BASE = process.env.BASE_URL || `http://127.0.0.1:${process.env.PORT || 8787}`;
/** As the service calls itself, which tools may ask (TOOL_HOSTS). */
const SELF = `http://localhost:${new URL(BASE).port}`;
const CONSOLE = `${process.env.BASE_URL || SELF}/console/campaigns/`;
const COLOURS = {
  originated: "cyan",
  connected: "blue",
  completed: "green",
  failed: "red",
  cancelled: "yellow",
} as const;
const FINAL = ["completed", "failed", "cancelled"];
/** What the agent can answer from, of what every account has. */
const FAQS = ["opening_hours", "delivery_times", "returns_and_refunds", "payment_methods", "talk_to_a_person"];

interface Campaign {
  id: string;
  name: string;
  status: string;
  status_reason?: string | null;
}
interface Transition {
  phone_number: string;
  status: string;
  reason?: string | null;
}

try {
  await demo();
} catch (error) {
  const down = error instanceof TypeError && (error.cause as { code?: string } | undefined)?.code === "ECONNREFUSED";
  console.error(down ? `Switchboard is not running at ${BASE}. Start it with: npm start` : explain(error));
  process.exit(1);
}

async function demo(): Promise<void> {
  const owner = await new ApiClient(BASE, fetch).signIn(ACME);
  step(`signed in as ${ACME.email}`);

  const agent = await owner.post<{ id: string; name: string }>("/api/v1/agents", {
    name: "Spring offer",
    status: "active",
    category: "sales",
    system_prompt: "You call customers about the spring offer. Be brief, and take no for an answer.",
    greeting_message: "Hello {{name}}, this is Acme. Is now a good time?",
  });
  for (const faq_id of FAQS) await owner.post(`/api/v1/agents/${agent.id}/faqs`, { faq_id });
  step(`created the agent ${agent.name} with ${FAQS.length} FAQs`, agent.id);

  const putBack = await attachDemoTool(owner, agent.id, SELF);
  step(`attached the tool ${DEMO_TOOL}, which uses a simulated Shopify on this machine`);

  const from = await sandboxNumber(owner, agent.id);
  step(`calling from ${from}, on the sandbox carrier`);

  const allowed = await allowCalls(owner);
  if (allowed.length > 0)
    step(`removed from the do-not-call list, where an earlier run put them: ${allowed.join(", ")}`);

  const form = new FormData();
  form.set("name", "Spring offer");
  form.set("agent_id", agent.id);
  form.set("from_number", from);
  form.set("contacts", new File([contactsCsv()], "contacts.csv", { type: "text/csv" }));
  const campaign = await owner.upload<Campaign>("/api/v1/campaigns", form);
  step(`uploaded ${CONTACTS.length} contacts`, campaign.id);
  step(`watch it in the console: ${CONSOLE}${campaign.id}`);

  try {
    await follow(owner, campaign);
    console.log(await report(owner, campaign.id));
  } finally {
    await putBack();
  }
}

/** A number of the account to call from; the sandbox one is made if it is not there. */
async function sandboxNumber(owner: ApiClient, agent_id: string): Promise<string> {
  const { numbers } = await owner.get<{ numbers: { e164: string; provider: string; outbound_enabled: boolean }[] }>(
    "/api/v1/telephony/numbers",
  );
  const there = numbers.find(({ provider, outbound_enabled }) => provider === "sandbox" && outbound_enabled);
  if (there) return there.e164;
  const number = { e164: ACME_NUMBER, provider: "sandbox", agent_id };
  return (await owner.post<{ e164: string }>("/api/v1/telephony/numbers", number)).e164;
}

/** Starts the campaign once the stream is open and prints the stream until the campaign has ended. */
async function follow(owner: ApiClient, { id }: Campaign): Promise<void> {
  const statuses = new Map<string, string>();
  for await (const { event, data } of events(`${BASE}/api/v1/campaigns/${id}/events`, owner.headers)) {
    if (event === "snapshot") {
      if (statuses.size > 0) continue;
      await owner.post(`/api/v1/campaigns/${id}/start`);
      step("started the campaign; these are its live events\n");
      continue;
    }
    if (event === "campaign") {
      const { status, reason } = JSON.parse(data) as { status: string; reason?: string | null };
      if (status === "running") continue;
      clearProgress();
      console.log();
      step(`the campaign is ${status}${reason ? `: ${reason}` : ""}`);
      return;
    }
    const transition = JSON.parse(data) as Transition;
    statuses.set(transition.phone_number, transition.status);
    const done = [...statuses.values()].filter((status) => FINAL.includes(status)).length;
    print(transition, done);
    progress(done);
  }
}

function step(text: string, detail = ""): void {
  console.log(`${styleText("green", "✓")} ${text} ${styleText("dim", detail)}`.trimEnd());
}

function print({ phone_number, status, reason }: Transition, done: number): void {
  clearProgress();
  const colour = COLOURS[status as keyof typeof COLOURS] ?? "dim";
  const name = nameOf(phone_number);
  const why = reason ? styleText("dim", `  ${reason}`) : "";
  const count = styleText("dim", `${done}/${CONTACTS.length}`.padStart(5));
  console.log(`${count}  ${styleText(colour, status.padEnd(11))}${phone_number.padEnd(14)}${name}${why}`);
}

/** A line that stays at the bottom while the stream runs past it; only where there is a screen. */
function progress(done: number): void {
  if (!process.stdout.isTTY) return;
  const filled = Math.round((done / CONTACTS.length) * 30);
  process.stdout.write(`  ${"█".repeat(filled)}${"░".repeat(30 - filled)} ${done}/${CONTACTS.length}`);
}

function clearProgress(): void {
  if (process.stdout.isTTY) process.stdout.write("\r\x1b[K");
}

function explain(error: unknown): string {
  if (error instanceof UnexpectedAnswer && error.status === 401) {
    return `${ACME.email} cannot sign in at ${BASE}: was it started with npm start, and is password sign-in on?`;
  }
  return error instanceof Error ? error.message : String(error);
}
