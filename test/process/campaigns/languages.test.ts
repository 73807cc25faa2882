import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { builtInSentences } from "../../../src/agent/speech/sentences.ts";
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
  call_id: string;
}

let worker: RunningWorker;
let headers: Record<string, string>;

beforeAll(async () => {
  worker = await startWorker({ SANDBOX_RING_MS: "5", SANDBOX_TALK_MS: "5" });
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

/** Runs a campaign with an agent to these numbers; gives what was said to each, in order. */
async function campaignOf(agent: object, from_number: string, numbers: string[]): Promise<Map<string, Turn[]>> {
  const { id: agent_id } = await send<{ id: string }>("POST", "/api/v1/agents", agent);
  await send("POST", "/api/v1/telephony/numbers", { e164: from_number, provider: "sandbox", agent_id });
  const form = new FormData();
  form.set("contacts", new Blob([["phone", ...numbers].join("\n")], { type: "text/csv" }), "contacts.csv");
  for (const [name, value] of Object.entries({ name: "Kampagne", agent_id, from_number })) form.set(name, value);
  const { id } = await send<{ id: string }>("POST", "/api/v1/campaigns", form);
  await send("POST", `/api/v1/campaigns/${id}/start`);
  const isOver = async () => (await send<{ status: string }>("GET", `/api/v1/campaigns/${id}`)).status;
  await vi.waitFor(async () => expect(await isOver()).toBe("completed"), WAIT);
  const { contacts } = await send<{ contacts: Contact[] }>("GET", `/api/v1/campaigns/${id}/contacts`);
  const said = contacts.map(async ({ phone_number, call_id }): Promise<[string, Turn[]]> => {
    const { conversation_id } = await send<{ conversation_id: string }>("GET", `/api/v1/calls/${call_id}`);
    const { turns } = await send<{ turns: Turn[] }>("GET", `/api/v1/conversations/${conversation_id}`);
    return [phone_number, turns];
  });
  return new Map(await Promise.all(said));
}

const textsOf = (turns: Turn[] | undefined, role: Turn["role"]) =>
  (turns ?? []).flatMap((turn) => (turn.role === role ? [turn.text] : []));
const MARK = "Günaydın";

describe("a campaign in the sandbox", () => {
  it("is held in German with a German agent, greeting, people, opt-out and goodbye", async () => {
    const agent = {
      name: "Empfang",
      status: "active",
      language: "de-DE",
      greeting_message: "Guten Tag, heute ist {{weekday}}.",
    };
    const [interested, later, optsOut] = ["+493090182030", "+493090182032", "+493090182018"];
    const said = await campaignOf(agent, "+493090182100", [interested, later, optsOut].map(String));
    expect(textsOf(said.get(String(interested)), "agent")[0]).toMatch(/^Guten Tag, heute ist (?:\S+tag|Mittwoch)\.$/);
    expect(textsOf(said.get(String(interested)), "user")[0]).toBe("Ja, gerade passt es gut. Das klingt interessant.");
    expect(said.get(String(interested))?.find(({ role }) => role === "user")?.lang).toBe("de-DE");
    expect(textsOf(said.get(String(later)), "agent").at(-1)).toContain("Auf Wiederhören.");
    expect(textsOf(said.get(String(optsOut)), "agent").at(-1)).toContain("von unserer Liste gestrichen");
    const { numbers } = await send<{ numbers: { phone_number: string }[] }>("GET", "/api/v1/do-not-call");
    expect(numbers.map(({ phone_number }) => phone_number)).toContain(optsOut);
  });

  it("is held in Turkish with phrases of the agent's own", async () => {
    const phrases = Object.fromEntries(Object.keys(builtInSentences("en")).map((name) => [name, `${MARK}: ${name}`]));
    const agent = { name: "Resepsiyon", status: "active", language: "tr-TR", greeting_message: "Merhaba!", phrases };
    const [interested, not] = ["+902125551030", "+902125551031"];
    const said = await campaignOf(agent, "+902125551100", [interested, not].map(String));
    expect(textsOf(said.get(String(interested)), "agent")[0]).toBe("Merhaba!");
    expect(textsOf(said.get(String(interested)), "user")[0]).toBe("Evet, şu an uygunum. İlgimi çekti.");
    expect(textsOf(said.get(String(not)), "agent").at(-1)).toContain("Hoşça kalın.");
    const spoken = [...said.values()].flatMap((turns) => textsOf(turns, "agent"));
    for (const sentence of Object.values(builtInSentences("en"))) expect(spoken).not.toContain(sentence);
  });
});
