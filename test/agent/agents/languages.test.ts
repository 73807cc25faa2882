import { beforeAll, describe, expect, it } from "vitest";
import { use } from "../../mcp/support.ts";
import { type Tenant, tenant } from "../../support/client.ts";

interface Agent {
  id: string;
  language: string;
  languages: string[];
  key_terms: string[];
  phrases: Record<string, string | null>;
}

let owner: Tenant;
const create = (fields: object) =>
  owner.server.post<Agent>("/api/v1/agents", Object.assign({ name: "Empfang" }, fields));

beforeAll(async () => {
  owner = await tenant();
});

describe("an agent's languages", () => {
  it("default to English with the built-in sentences", async () => {
    const { body } = await create({});
    expect(body).toMatchObject({ language: "en-US", languages: [], key_terms: [] });
    expect(new Set(Object.values(body.phrases))).toEqual(new Set([null]));
  });

  it("an agent's languages are stored in their canonical spelling without duplicates", async () => {
    const { status, body } = await create({ language: "de-at", languages: ["tr-TR", "TR-tr", "zh-hant-tw"] });
    expect(status).toBe(201);
    expect(body).toMatchObject({ language: "de-AT", languages: ["tr-TR", "zh-Hant-TW"] });
  });

  it.each(["", "english", "xx", "en_US", "de-XX", "und", "x-klingon", "de-DE-u-co-phonebk", "de-".repeat(20)])(
    "an agent's languages are refused if a tag names none: %j",
    async (language) => {
      const { status, body } = await create({ language });
      expect(status).toBe(400);
      expect(body).toContain("language");
    },
  );

  it("an agent has at most five languages", async () => {
    const languages = ["de", "es", "fr", "it", "pt"];
    expect((await create({ languages: languages.slice(1) })).status).toBe(201);
    const { status, body } = await create({ languages });
    expect([status, body]).toEqual([400, expect.stringContaining("languages")]);
  });

  it.each([
    ["101 terms", Array.from({ length: 101 }, (_, n) => `t${n}`)],
    ["1,001 characters", ["a".repeat(500), "b".repeat(500)]],
    ["a comma", ["Acme, Inc."]],
    ["nothing", ["  "]],
  ])("an agent's languages take no key terms with %s", async (_, key_terms) => {
    const { status, body } = await create({ key_terms });
    expect([status, body]).toEqual([400, expect.stringContaining("key_terms")]);
  });
});

describe("an invalid language, term or phrase", () => {
  const BAD: [field: string, value: unknown, helps: string][] = [
    ["language", "German", "did you mean de-DE?"],
    ["language", "de_AT", "did you mean de-AT?"],
    ["language", "xx", "such as de-DE"],
    ["languages", ["de", "es", "fr", "it", "pt", "nl"], "at most 4"],
    ["languages", ["tr-TR", "Turkish"], "did you mean tr-TR?"],
    ["key_terms", ["Acme, Inc."], "without commas"],
    ["key_terms", Array.from({ length: 101 }, (_, n) => `t${n}`), "at most 100"],
    ["key_terms", ["a".repeat(500), "b".repeat(500)], "1,000 characters"],
    ["phrases", { goodbye: "x".repeat(301) }, "300"],
    ["phrases", { goodbye: " " }, "send null to restore the built-in sentence"],
    ["phrases", { goodbye: "Bye\u0000" }, "without control characters"],
    ["phrases", { goodbye: "One\nTwo" }, "one line"],
    ["phrases", { goodbye: "{{name | default: there}}" }, "must give the default in quotes"],
    ["phrases", { good_bye: "Bye" }, "good_bye"],
  ];

  it.each(BAD)(
    "an invalid language, term or phrase gets a helpful sentence from every endpoint: %s %j",
    async (field, value, helps) => {
      const { body: agent } = await create({});
      const strict = { prefer: "handling=strict", "content-type": "application/json" };
      const raw = (fields: object) => JSON.stringify(Object.assign({ name: "Empfang" }, fields));
      const answers = await Promise.all([
        owner.server.send("POST", "/api/v1/agents", raw({ [field]: value }), strict),
        owner.server.send("PATCH", `/api/v1/agents/${agent.id}`, raw({ [field]: value }), strict),
      ]);
      for (const { status, body } of answers)
        expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(helps)]);
      const byModel = await use(owner.server, "edit_agent", { agent_id: agent.id, changes: { [field]: value } });
      expect(byModel.isError).toBe(true);
      expect((await owner.server.get<Agent>(`/api/v1/agents/${agent.id}`)).body).toEqual(agent);
    },
  );

  it("list may contain terms with quotes, marks and placeholders", async () => {
    const phrases = { goodbye: `"Bye" ]]> <b>&amp;</b> {{name|friend}} {{nickname}}` };
    const { status, body } = await create({ phrases });
    expect([status, body.phrases.goodbye]).toEqual([201, phrases.goodbye]);
  });
});

describe("an agent's phrases", () => {
  it("can be changed one by one, and null restores the built-in sentence", async () => {
    const { body: agent } = await create({ phrases: { goodbye: "Tschüss!", silence: "Hallo?" } });
    const path = `/api/v1/agents/${agent.id}`;
    const { body: changed } = await owner.server.patch<Agent>(path, { phrases: { silence: null, filler: "Moment …" } });
    expect(changed.phrases).toMatchObject({ goodbye: "Tschüss!", silence: null, filler: "Moment …", apology: null });
    expect((await owner.server.get<Agent>(path)).body.phrases).toEqual(changed.phrases);
  });

  it("ignore an unknown key, and strict requests refuse it with the nearest known one", async () => {
    const phrases = { good_bye: "Tschüss!" };
    const lax = await create({ phrases });
    expect([lax.status, lax.headers.get("ignored-fields")]).toEqual([201, expect.stringContaining("good_bye")]);
    const headers = { prefer: "handling=strict", "content-type": "application/json" };
    const raw = JSON.stringify({ name: "Empfang", phrases });
    const strict = await owner.server.send("POST", "/api/v1/agents", raw, headers);
    expect([strict.status, strict.code]).toEqual([400, "unknown_fields"]);
  });

  it.each([
    ["is longer than 300 characters", "x".repeat(301)],
    ["is empty", " "],
    ["has an unknown filter", "Tschüss, {{name | upcase: 1}}"],
  ])("an agent's phrases refuse a sentence that %s", async (_, goodbye) => {
    const { status, body } = await create({ phrases: { goodbye } });
    expect([status, body]).toEqual([400, expect.stringContaining("goodbye")]);
  });

  it("belong to versions", async () => {
    const { body: agent } = await create({ language: "de-DE", versioning: "manual" });
    const path = `/api/v1/agents/${agent.id}`;
    await owner.server.post(`${path}/publish`, {});
    await owner.server.patch(path, { language: "fr-FR", phrases: { goodbye: "Au revoir." } });
    const { body } = await owner.server.get<{ changes: { field: string }[] }>(`${path}/versions/1/diff/draft`);
    expect(body.changes.map(({ field }) => field).sort()).toEqual(["language", "phrases"]);
    await owner.server.post(`${path}/versions/1/restore`, {});
    expect((await owner.server.get<Agent>(path)).body).toMatchObject({ language: "de-DE", phrases: { goodbye: null } });
  });
});
