import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { builtInSentences } from "../../../src/agent/speech/sentences.ts";
import { PHRASES } from "../../../src/kernel/db/schema/index.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";
import { WAIT } from "./crash-support.ts";

interface Turn {
  role: "user" | "agent" | "tool";
  text: string;
  lang: string | null;
}
interface Contact {
  phone_number: string;
  status: string;
  disposition: string | null;
  call_id: string;
}

let worker: RunningWorker;
let headers: Record<string, string>;

beforeAll(async () => {
  worker = await startWorker({ SANDBOX_RING_MS: "5", SANDBOX_TALK_MS: "5", CALL_MAX_DURATION_S: "10" });
  const operator = await worker.signIn("service-admin");
  await send("POST", "/api/admin/v1/accounts", { name: "spoken", plan: "scale" }, operator);
  headers = await worker.signIn("spoken");
}, 300_000);
afterAll(() => worker?.stop());

async function send<T>(method: string, path: string, body?: object, as = headers): Promise<T> {
  const isForm = body instanceof FormData;
  const response = await fetch(worker.origin + path, {
    method,
    headers: isForm || body === undefined ? as : { ...as, "content-type": "application/json" },
    body: body === undefined ? null : isForm ? body : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

interface Held {
  turns: Turn[];
  disposition: string | null;
}
const heldOn = async (call_id: string): Promise<Turn[]> => {
  const { conversation_id } = await send<{ conversation_id: string }>("GET", `/api/v1/calls/${call_id}`);
  return (await send<{ turns: Turn[] }>("GET", `/api/v1/conversations/${conversation_id}`)).turns;
};

/** Runs a campaign with an agent to these numbers. Returns what was said to each, in order, and the plan's warnings. */
async function campaignOf(agent: object, from_number: string, numbers: string[]) {
  const { id: agent_id } = await send<{ id: string }>("POST", "/api/v1/agents", agent);
  await send("POST", "/api/v1/telephony/numbers", { e164: from_number, provider: "sandbox", agent_id });
  const form = new FormData();
  form.set("contacts", new Blob([["phone", ...numbers].join("\n")], { type: "text/csv" }), "contacts.csv");
  for (const [name, value] of Object.entries({ name: "Kampagne", agent_id, from_number })) form.set(name, value);
  const { id } = await send<{ id: string }>("POST", "/api/v1/campaigns", form);
  const { warnings } = await send<{ warnings: { code: string }[] }>("GET", `/api/v1/campaigns/${id}/plan`);
  await send("POST", `/api/v1/campaigns/${id}/start`);
  const isOver = async () => (await send<{ status: string }>("GET", `/api/v1/campaigns/${id}`)).status;
  await vi.waitFor(async () => expect(await isOver()).toBe("completed"), WAIT);
  const { contacts } = await send<{ contacts: Contact[] }>("GET", `/api/v1/campaigns/${id}/contacts`);
  const held = contacts.map(async ({ phone_number, call_id, disposition }): Promise<[string, Held]> => {
    return [phone_number, { turns: await heldOn(call_id), disposition }];
  });
  const by = new Map(await Promise.all(held));
  const at = (number: string): Held => by.get(number) ?? { turns: [], disposition: null };
  return { at, all: [...by.values()], warnings: warnings.map(({ code }) => code) };
}

const textsOf = ({ turns }: Pick<Held, "turns">, role: Turn["role"]) =>
  turns.flatMap((turn) => (turn.role === role ? [turn.text] : []));
const MARK = "Günaydın";
const ENGLISH = Object.values(builtInSentences("en"));
const inEnglish = (held: Pick<Held, "turns">[]) =>
  held.flatMap((one) => textsOf(one, "agent")).filter((text) => ENGLISH.includes(text));

describe("a campaign in the sandbox", () => {
  it("a campaign is held in German with a German agent, greeting, callers, opt-out and goodbye", async () => {
    const agent = {
      name: "Empfang",
      status: "active",
      language: "de-DE",
      greeting_message: "Guten Tag, heute ist {{weekday}}.",
    };
    const [interested, not, later, optsOut] = [
      "+493090182030",
      "+493090182031",
      "+493090182032",
      "+493090182018",
    ] as const;
    const { at, all, warnings } = await campaignOf(agent, "+493090182100", [interested, not, later, optsOut]);
    expect(warnings).not.toContain("language_without_phrases");
    expect(textsOf(at(interested), "agent")[0]).toMatch(/^Guten Tag, heute ist (?:\p{L}+tag|Mittwoch)\.$/u);
    expect(textsOf(at(interested), "user")[0]).toBe("Ja, gerade passt es gut. Das klingt interessant.");
    expect(at(interested).turns.find(({ role }) => role === "user")?.lang).toBe("de-DE");
    expect(textsOf(at(later), "agent").at(-1)).toContain("Auf Wiederhören.");
    expect(textsOf(at(optsOut), "agent").at(-1)).toContain("von unserer Liste gestrichen");
    expect([interested, not, later, optsOut].map((number) => at(number).disposition)).toEqual([
      "interested",
      "not_interested",
      "callback_requested",
      "opted_out",
    ]);
    expect(inEnglish(all)).toEqual([]);
    const { numbers } = await send<{ numbers: { phone_number: string }[] }>("GET", "/api/v1/do-not-call");
    expect(numbers.map(({ phone_number }) => phone_number)).toContain(optsOut);
  });

  it("a campaign is held in Turkish with the agent's own phrases", async () => {
    const phrases = Object.fromEntries(PHRASES.map((name) => [name, `${MARK}: ${name}`]));
    const agent = { name: "Resepsiyon", status: "active", language: "tr-TR", greeting_message: "Merhaba!", phrases };
    const [interested, not, later, optsOut] = [
      "+902125551030",
      "+902125551031",
      "+902125551032",
      "+902125551018",
    ] as const;
    const own = "+902125551100";
    const { at, all, warnings } = await campaignOf(agent, own, [interested, not, later, optsOut]);
    expect(warnings).not.toContain("language_without_phrases");
    expect(textsOf(at(interested), "agent")[0]).toBe("Merhaba!");
    expect(textsOf(at(interested), "user")[0]).toBe("Evet, şu an uygunum. İlgimi çekti.");
    expect(textsOf(at(not), "agent").at(-1)).toContain("Hoşça kalın.");
    expect([interested, not, later, optsOut].map((number) => at(number).disposition)).toEqual([
      "interested",
      "not_interested",
      "callback_requested",
      "opted_out",
    ]);
    expect(inEnglish(all)).toEqual([]);
  });

  it("warns of Turkish without phrases", async () => {
    const agent = { name: "Resepsiyon", status: "active", language: "tr-TR", greeting_message: "Merhaba!" };
    const { warnings } = await campaignOf(agent, "+902125551101", ["+902125551040"]);
    expect(warnings).toContain("language_without_phrases");
  });
});
