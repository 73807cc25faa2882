import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../src/kernel/http/canonical-json.ts";
import { sha256Hex } from "../../../src/kernel/secrets/hashing.ts";
import { type Tenant, tenant } from "../../support/client.ts";
import { agentPath, newAgent, type Snapshot, tries, type Version, versionsOf, versionsPath } from "./support.ts";

const { PROPERTY_SEED, VERSION_STEPS } = env as unknown as Record<"PROPERTY_SEED" | "VERSION_STEPS", string>;
const PEOPLE = 3;
const WORDS = ["one", "two", "three", "four"];
const FAQS = ["hours", "parking", "prices"];
const TOOLS = ["look_up", "book"];
/** The errors that a person may get while others change the same agent. Any other error is a fault. */
const EXPECTED = new Set(["404", "409 changing", "409 name_taken", "409 not_published", "400 duplicate_name"]);

/** Returns numbers from 0 up to 1, always the same sequence. */
function random(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Row {
  number: number;
  hash: string;
  fields: string;
  items: string;
}

/** The content that conversations used, by version number. */
type Used = Map<number, Snapshot[]>;

/** Makes one change or one use of the agent, by one of several simultaneous users. */
async function step(who: Tenant, id: string, used: Used, next: () => number): Promise<string> {
  const { server } = who;
  const of = <T>(list: T[]): T => list[Math.floor(next() * list.length)] as T;
  const [faq, tool, word] = [of(FAQS), of(TOOLS), of(WORDS)];
  const acts = [
    () => server.patch(agentPath(id), { greeting_message: word }),
    () => server.patch(agentPath(id), { system_prompt: word, redact: [] }),
    () => server.patch(agentPath(id), { versioning: of(["auto", "manual"]) }),
    () => server.put(`/api/v1/faqs/${faq}`, { content: word }),
    () => server.delete(`/api/v1/faqs/${faq}`),
    () => server.post("/api/v1/faqs", { name: faq, content: word }),
    () => server.post(`${agentPath(id)}/faqs`, { faq_id: faq }),
    () => server.delete(`${agentPath(id)}/faqs/${faq}`),
    () => server.put(`/api/v1/tools/${tool}`, { description: word }),
    () => server.put(`${agentPath(id)}/tools`, { tool_name: tool, enabled: next() < 0.7 }),
    () => server.delete(`${agentPath(id)}/tools/${tool}`),
    () => server.post(`${agentPath(id)}/publish`, { note: word }),
    () => server.post(`${agentPath(id)}/publish`),
    async () => {
      const numbers = (await versionsOf(server, id)).flatMap(({ number }) => number ?? []);
      return server.post(`${versionsPath(id)}/${numbers.length === 0 ? 1 : of(numbers)}/restore`);
    },
  ];
  if (next() < 0.4) {
    const asked = await server.post<unknown>(`${agentPath(id)}/session`, { version: of(["draft", "live"]) });
    if (asked.status !== 200) return `${asked.status}${asked.status === 404 ? "" : ` ${asked.code}`}`;
    const snapshot = await tries(who, id, of(["draft", "live"])).catch((error: Error) => {
      if (error.message.includes("not_published") || error.message.includes("409")) return null;
      throw error;
    });
    const number = snapshot?.agent.version;
    if (snapshot && number != null) used.set(number, [...(used.get(number) ?? []), snapshot]);
    return snapshot !== null && number === null ? "no number" : "200";
  }
  const { status, code } = await of(acts)();
  return status < 300 ? "200" : status === 404 ? "404" : `${status} ${code}`;
}

/** Returns the parts of a snapshot that must match its version. */
function wordsOf({ agent, faqs, tools }: Snapshot) {
  const { greeting_message, system_prompt, redact } = agent;
  const named = tools.map(({ name, description }) => ({ name, description }));
  return { greeting_message, system_prompt, redact, faqs: faqs.map(({ name, content }) => ({ name, content })), named };
}

interface Whole extends Version {
  agent: {
    greeting_message: string;
    system_prompt: string;
    redact: string[];
    faqs: { name: string; content: string }[];
    tools: { name: string; description: string; enabled: boolean }[];
  };
}

describe("an agent that three people change, publish, restore and use at once", () => {
  it("always uses exactly the version that its conversation names", {
    timeout: 3_600_000,
  }, async () => {
    const who = await tenant();
    const { server } = who;
    const id = await newAgent(server, { greeting_message: "one", system_prompt: "one" });
    for (const name of FAQS) await server.post("/api/v1/faqs", { name, content: "one" });
    for (const name of TOOLS)
      await server.post("/api/v1/tools", { name, description: "one", implementation_type: "python" });
    const used: Used = new Map();
    const told = new Map<string, number>();
    const each = Math.ceil(Number(VERSION_STEPS) / PEOPLE);
    await Promise.all(
      Array.from({ length: PEOPLE }, async (_, person) => {
        const next = random(Number(PROPERTY_SEED) * 100 + person);
        for (let i = 0; i < each; i++) {
          const outcome = await step(who, id, used, next);
          told.set(outcome, (told.get(outcome) ?? 0) + 1);
        }
      }),
    );
    for (const outcome of told.keys()) expect(outcome === "200" || EXPECTED.has(outcome), outcome).toBe(true);
    expect(used.size).toBeGreaterThan(3);

    const { results } = await env.DB.prepare(
      "SELECT number, hash, fields, items FROM agent_versions WHERE account = ? AND agent_id = ? ORDER BY number",
    )
      .bind(who.account, id)
      .all<Row>();
    expect(results.map(({ number }) => number)).toEqual(results.map((_, i) => i + 1));
    const { results: bodies } = await env.DB.prepare("SELECT hash, body FROM version_bodies WHERE account = ?")
      .bind(who.account)
      .all<{ hash: string; body: string }>();
    const known = new Set(bodies.map(({ hash }) => hash));
    for (const { hash, body } of bodies) expect(await sha256Hex(canonicalJson(JSON.parse(body)))).toBe(hash);
    for (const { hash, fields, items } of results) {
      const content = { fields: JSON.parse(fields), items: JSON.parse(items) };
      expect(await sha256Hex(canonicalJson(content))).toBe(hash);
      for (const item of content.items as { hash: string }[]) expect(known.has(item.hash)).toBe(true);
    }
    for (const [number, snapshots] of used) {
      const { agent } = (await server.get<Whole>(`${versionsPath(id)}/${number}`)).body;
      const { greeting_message, system_prompt, redact, faqs, tools } = agent;
      const enabled = tools.filter((tool) => tool.enabled).map(({ name, description }) => ({ name, description }));
      for (const snapshot of snapshots) {
        const { named, ...words } = wordsOf(snapshot);
        expect(words).toEqual({
          greeting_message,
          system_prompt,
          redact,
          faqs: faqs.map(({ name, content }) => ({ name, content })),
        });
        expect(named).toEqual(enabled);
      }
    }
    // Restoring any version makes the agent that version again.
    await server.patch(agentPath(id), { versioning: "auto" });
    for (const { number } of results.slice(0, 8)) {
      const restored = await server.post(`${versionsPath(id)}/${number}/restore`);
      if (restored.code === "name_taken") continue;
      expect(restored.status, JSON.stringify(restored.body)).toBe(200);
      expect((await tries(who, id)).agent.version).toBe(number);
    }
  });
});
