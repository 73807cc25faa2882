import { exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Progress, Switchboard, type SwitchboardOptions } from "../../packages/sdk/src/index.ts";
import { DEEPGRAM_MODELS } from "../phone/voices/pages.ts";
import { connect, MP3, mp3, vendors } from "../phone/voices/support.ts";
import { apiKey, BASE, tenant } from "../support/client.ts";

type Send = NonNullable<SwitchboardOptions["fetch"]>;
const service: Send = (url, init) => exports.default.fetch(new Request(url, init));

async function client(fetch: Send = service) {
  const { key } = await tenant();
  return new Switchboard({ baseUrl: BASE, apiKey: key.key, fetch });
}

afterEach(() => vi.restoreAllMocks());

describe("the SDK's previews of voices", () => {
  const VIKTORIA = { voice_provider: "deepgram", voice_id: "aura-2-viktoria-de", language: "de-DE" } as const;
  const clientWith = (key: string) => new Switchboard({ baseUrl: BASE, apiKey: key, fetch: service });

  it("previewVoice returns the bytes of an mp3", async () => {
    const who = await tenant();
    await connect(who, "deepgram");
    vendors(({ url }) => (url.endsWith("/v1/models") ? Response.json(DEEPGRAM_MODELS) : mp3()));
    expect(await clientWith(who.key.key).account.previewVoice(VIKTORIA)).toEqual(MP3);
  });

  it("a failed previewVoice is not repeated", async () => {
    const who = await tenant();
    await connect(who, "deepgram");
    const asked = vendors(({ url }) =>
      url.endsWith("/v1/models") ? Response.json(DEEPGRAM_MODELS) : new Response("no", { status: 503 }),
    );
    const preview = clientWith(who.key.key).account.previewVoice(VIKTORIA);
    await expect(preview).rejects.toMatchObject({ status: 502, code: "voice_unavailable" });
    expect(asked.filter(({ url }) => url.includes("/v1/speak"))).toHaveLength(1);
  });

  it("previewVoice is refused to a key with read alone", async () => {
    const { key } = await apiKey((await tenant()).user, { scopes: ["read"] });
    await expect(clientWith(key).account.previewVoice(VIKTORIA)).rejects.toMatchObject({ status: 403 });
  });
});

describe("the SDK", () => {
  it("creates, reads, conditionally changes and deletes a resource", async () => {
    const sb = await client();
    const { id } = await sb.agents.create({ name: "Ada" });
    const agent = await sb.agents.get(id);
    await sb.agents.update(id, { name: "Grace" }, { ifMatch: agent });
    const late = sb.agents.update(id, { name: "Linus" }, { ifMatch: agent });
    await expect(late).rejects.toMatchObject({ status: 412, code: "changed_meanwhile" });
    expect((await sb.agents.list().toArray()).map(({ name }) => name)).toContain("Grace");
    expect(await sb.agents.delete(id)).toBeUndefined();
  });

  it("iterates over a list page by page", async () => {
    const sb = await client();
    const numbers = Array.from({ length: 7 }, (_, n) => `+1303555011${n}`);
    await sb.doNotCall.add({ numbers });
    const found = await sb.doNotCall.list({ limit: 2 }).toArray();
    expect(found.map(({ phone_number }) => phone_number).sort()).toEqual(numbers);
    expect(await sb.doNotCall.list().page({ limit: 3 })).toMatchObject({ total: 7, limit: 3 });
  });

  it("carries out a POST once even if its first response is lost", async () => {
    let isLost = false;
    const sb = await client(async (url, init) => {
      const response = await service(url, init);
      if (init.method !== "POST" || isLost) return response;
      isLost = true;
      throw new TypeError("connection lost");
    });
    const before = (await sb.agents.list().toArray()).length;
    await sb.agents.create({ name: "Once" }, { headers: {} });
    expect(isLost).toBe(true);
    expect((await sb.agents.list().toArray()).length).toBe(before + 1);
  });

  it("uploads contacts and follows the campaign from its snapshot", async () => {
    const sb = await client();
    const told: Progress[] = [];
    const contacts = "phone_number,name\n+13035550111,Ada\n";
    const onProgress = (progress: Progress) => void told.push(progress);
    const campaign = await sb.campaigns.create({ name: "Spring", contacts, columns: { name: "name" } }, { onProgress });
    expect(campaign).toMatchObject({ status: "draft", total_contacts: 1 });
    const total = told[0]?.total ?? 0;
    expect(total).toBeGreaterThan(contacts.length);
    expect([told[0], told.at(-1)]).toEqual([
      { sent: 0, total },
      { sent: total, total },
    ]);
    for await (const { name, data } of sb.campaigns.events(campaign.id)) {
      expect(name).toBe("snapshot");
      expect(data).toMatchObject({ campaign_id: campaign.id });
      break;
    }
    expect(await (await sb.campaigns.export(campaign.id)).text()).toContain("+13035550111");
  });

  it("reports the progress of a large upload, counting each byte once", async () => {
    const contacts = `phone_number\n${"+13035550111\n".repeat(40_000)}`;
    const told: Progress[] = [];
    let arrived = 0;
    const sb = await client(async (url, init) => {
      arrived = (await new Request(url, init).arrayBuffer()).byteLength;
      return Response.json({ id: "1" }, { status: 201 });
    });
    await sb.campaigns.create({ name: "Spring", contacts }, { onProgress: (progress) => void told.push(progress) });
    const sent = told.map((each) => each.sent);
    expect(sent.length).toBeGreaterThan(3);
    expect(sent).toEqual([...new Set(sent)].sort((a, b) => a - b));
    expect(told.every(({ total }) => total === arrived)).toBe(true);
    expect(sent.at(-1)).toBe(arrived);
  });
});

describe("an error of the SDK", () => {
  it("names code, request and every wrong field", async () => {
    const sb = await client();
    const wrong = sb.request("GET", "/api/v1/agents/{id}", { params: { path: { id: crypto.randomUUID() } } });
    await expect(wrong).rejects.toMatchObject({ status: 404, requestId: expect.stringMatching(/./) });
    const calls = sb.calls.list({ limit: 0, agent_id: "x" }).page();
    await expect(calls).rejects.toMatchObject({ status: 400, errors: [{ field: "limit" }] });
  });

  it("an error of the SDK is thrown if the service does not answer in time, or with an aborted signal's reason", async () => {
    const silent: Send = (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));
    const sb = new Switchboard({ baseUrl: BASE, fetch: silent, timeoutMs: 1, maxRetries: 0 });
    await expect(sb.agents.list().page()).rejects.toMatchObject({ status: 0, code: "timeout" });
    const leaving = new AbortController();
    const reading = sb.agents.list(undefined, { signal: leaving.signal, timeoutMs: 0 }).page();
    leaving.abort(new Error("left"));
    await expect(reading).rejects.toThrow("left");
  });
});

describe("an answer", () => {
  it("an answer that breaks off is requested again if that is safe", async () => {
    let isBroken = false;
    const sb = await client(async (url, init) => {
      if (isBroken) return service(url, init);
      isBroken = true;
      const start = (controller: ReadableStreamDefaultController<Uint8Array>) => controller.error(new Error("cut"));
      return new Response(new ReadableStream({ start }), { headers: { "content-type": "application/json" } });
    });
    const { id } = await sb.agents.create({ name: "Ada" });
    isBroken = false;
    expect((await sb.agents.get(id)).name).toBe("Ada");
    isBroken = false;
    await expect(sb.agents.get(id, { maxRetries: 0 })).rejects.toMatchObject({ status: 0, code: "unreachable" });
    expect((await sb.agents.list().toArray()).filter(({ name }) => name === "Ada")).toHaveLength(1);
  });

  it.each([
    ["text/html", "<html>"],
    ["application/json", '{"id":'],
  ])("an answer that is not the service's is refused: %s", async (type, body) => {
    const fetch: Send = async () => new Response(body, { headers: { "content-type": type } });
    const sb = new Switchboard({ baseUrl: BASE, fetch });
    await expect(sb.agents.get("1")).rejects.toMatchObject({ status: 200, code: "unexpected_answer" });
  });
});

describe("the service's address", () => {
  it("the SDK refuses an invalid base URL", () => {
    for (const baseUrl of [undefined, "localhost:8787", "https://"])
      expect(() => new Switchboard({ baseUrl: baseUrl as string })).toThrow("baseUrl: give the service's address");
  });

  it("may be that of the API, and an error explains why nothing is found", async () => {
    const asked: string[] = [];
    const nobody: Send = async (url) => {
      asked.push(url);
      throw new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) });
    };
    const sb = new Switchboard({ baseUrl: "https://voice.example.com/api/v1/", fetch: nobody, maxRetries: 0 });
    await expect(sb.agents.list().page()).rejects.toMatchObject({
      code: "unreachable",
      message: "GET /api/v1/agents: no answer (ECONNREFUSED)",
    });
    expect(asked).toEqual(["https://voice.example.com/api/v1/agents"]);
  });
});

describe("the SDK's security", () => {
  it("sends the key only to the service, and encodes an id into one segment of the path", async () => {
    const asked: string[] = [];
    const sb = new Switchboard({
      baseUrl: "https://voice.example.com/",
      apiKey: "sk_live_secret",
      fetch: async (url) => {
        asked.push(url);
        return Response.json({});
      },
    });
    await sb.agents.get("../../api-keys?x=1");
    expect(asked).toEqual(["https://voice.example.com/api/v1/agents/..%2F..%2Fapi-keys%3Fx%3D1"]);
    await expect(sb.agents.get("")).rejects.toThrow("id is missing");
    // An address has dots resolved, however they are encoded: of the agent's FAQ only the agent would be left.
    for (const dots of [".", ".."])
      await expect(sb.agents.detachFaq("1", dots)).rejects.toThrow(`faqId must not be ${dots}`);
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(sb)).not.toContain("secret");
  });
});
