import { afterEach, describe, expect, it, vi } from "vitest";
import type { Conversation } from "../../../records/conversations/support.ts";
import { tenant } from "../../../support/client.ts";
import { runtimeFor } from "../../../support/runtime.ts";
import { SHOP } from "../../../support/widget.ts";
import {
  AUDIO,
  addressesIn,
  GREETING,
  greeted,
  hear,
  KEY,
  listener,
  outcome,
  ownVoice,
  vendorAnswers,
} from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

describe("the agent's own voice", () => {
  it("the frames that carry the words name the agent's own voice", async () => {
    const { frames } = await listener();
    expect(frames[0]).toMatchObject({ type: "ready", speech: true });
    const deltas = frames.filter(({ type }) => type === "delta");
    expect(deltas.map(({ text }) => text).join("")).toBe(GREETING);
    expect(frames.at(-1)).toMatchObject({ type: "message", text: GREETING, speech: expect.any(String) });
    for (const address of addressesIn(frames)) expect(address).toMatch(/^\/api\/v1\/widget\/speech\/[\w.-]+$/);
  });

  it("speaks each part with the account's own key", async () => {
    const { frames } = await listener();
    const requests = vendorAnswers();
    for (const address of addressesIn(frames)) {
      const { status, headers, bytes } = await hear(address);
      expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
        200,
        "audio/mpeg",
        "no-store",
      ]);
      expect(headers.get("access-control-allow-origin")).toBe(SHOP);
      expect(bytes).toEqual(AUDIO);
    }
    for (const { url, key } of requests) {
      expect(url).toContain("/v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb/stream");
      expect(key).toBe(KEY);
    }
    expect(requests.map(({ text }) => text).join(" ")).toBe(GREETING);
  });

  it("speaks without markup and in the conversation's language", async () => {
    const greeting_message = "**Guten Tag!** Hier ist [Acme](https://acme.example) 👋";
    const { frames } = await listener({ greeting_message, language: "de-AT" });
    const requests = vendorAnswers();
    for (const address of addressesIn(frames)) expect(await outcome(address)).toBe("200");
    expect(requests.map(({ text }) => text).join(" ")).toBe("Guten Tag! Hier ist Acme");
    expect(new Set(requests.map(({ language }) => language))).toEqual(new Set(["de"]));
  });

  it("cuts a long sentence into parts of at most 500 characters", async () => {
    const greeting_message = `${"we are open and ".repeat(80)}that is all.`;
    const { frames } = await listener({ greeting_message });
    const requests = vendorAnswers();
    for (const address of addressesIn(frames)) expect(await outcome(address)).toBe("200");
    const texts = requests.map(({ text }) => text);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(500);
    expect(texts.join(" ")).toBe(greeting_message);
  });

  it("the agent's own voice is used for a member who tries the agent", async () => {
    const who = await tenant();
    const { body: agent } = await who.server.post<{ id: string }>("/api/v1/agents", { name: "Ada" });
    await ownVoice(who, agent.id);
    const session = await who.user.post<{ access_token: string }>(`/api/v1/agents/${agent.id}/session`, {});
    const { frames } = await greeted(session.body.access_token);
    vendorAnswers();
    expect(await outcome(addressesIn(frames)[0], {})).toBe("200");
  });

  it("speaks in a conversation that stores only metadata", async () => {
    const { frames, who, token } = await listener({ storage: "metadata" });
    vendorAnswers();
    for (const address of addressesIn(frames)) expect(await outcome(address)).toBe("200");
    await runtimeFor(who, token).post("/api/runtime/v1/session/hangup");
    const { turns } = (await who.server.get<Conversation>(`/api/v1/conversations/${frames[0]?.conversation_id}`)).body;
    expect(turns.filter(({ text }) => text !== null)).toEqual([]);
  });

  it("counts in the conversation's usage", async () => {
    const { frames, who } = await listener();
    vendorAnswers();
    for (const address of addressesIn(frames)) expect(await outcome(address)).toBe("200");
    const { usage } = (await who.server.get<Conversation>(`/api/v1/conversations/${frames[0]?.conversation_id}`)).body;
    // The space between two parts is not spoken.
    expect(usage.speech_chars).toBe(GREETING.length - (addressesIn(frames).length - 1));
  });

  it("the agent's own voice is not offered if its vendor is not installed", async () => {
    const { who } = await listener({ voice_provider: "cartesia" });
    const { access_token } = (
      await who.user.post<{ access_token: string }>(`/api/v1/agents/${who.agentId}/session`, {})
    ).body;
    const { frames } = await greeted(access_token);
    expect(frames[0]).not.toHaveProperty("speech");
    expect(addressesIn(frames)).toEqual([]);
  });

  it("the agent's own voice is not offered without a voice id", async () => {
    expect(addressesIn((await listener({ voice_id: "" })).frames)).toEqual([]);
  });
});
