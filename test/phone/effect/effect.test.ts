import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newAgentFields } from "../../../src/agent/agents/contract.ts";
import { CHANNELS, SETTINGS, settingsWithoutEffect, speakerOn } from "../../../src/phone/effect/effect.ts";
import { type Tenant, tenant } from "../../support/client.ts";

interface Effect {
  field: string;
  value: unknown;
  effective: boolean;
  instead: string | null;
  reason: string | null;
}

let owner: Tenant;
let id: string;
/** An agent with a value in each of its fields. */
const FIELDS = {
  name: "Empfang",
  voice_provider: "deepgram",
  voice_id: "aura-2",
  greeting_message: "Grüß Gott!",
  voicemail_message: "Bitte rufen Sie zurück.",
  background_audio_enabled: true,
  ringing_enabled: true,
  transfer_targets: [{ label: "Büro", number: "+12025550177" }],
  language: "tr-TR",
  languages: ["de-DE", "yo-NG"],
  key_terms: ["Acme"],
  phrases: { goodbye: "Hoşça kalın." },
};

const effectsOn = async (channel: string) => {
  const { status, body } = await owner.server.get<{ settings: Effect[] }>(
    `/api/v1/agents/${id}/effect?channel=${channel}`,
  );
  expect(status).toBe(200);
  return new Map(body.settings.map((setting) => [setting.field, setting]));
};

beforeAll(async () => {
  owner = await tenant();
  id = (await owner.server.post<{ id: string }>("/api/v1/agents", FIELDS)).body.id;
});

describe("the effect of an agent's settings", () => {
  it.each(CHANNELS)("every setting's effect on %s is known, with a reason if there is none", async (channel) => {
    const effects = await effectsOn(channel);
    const { body: agent } = await owner.server.get<Record<string, unknown>>(`/api/v1/agents/${id}`);
    expect([...effects.keys()]).toEqual(Object.keys(newAgentFields.shape));
    for (const { field, value, effective, instead, reason } of effects.values()) {
      expect(value).toEqual(agent[field]);
      if (!effective)
        expect([field, instead, reason]).toEqual([field, expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
    }
  });

  it.each([
    ["twilio", "voice_provider background_audio_enabled ringing_enabled noise_suppression_enabled languages phrases"],
    ["telnyx", "voice_provider voice_id background_audio_enabled ringing_enabled languages phrases"],
    ["sandbox", "voice_provider background_audio_enabled noise_suppression_enabled key_terms phrases"],
    ["widget", "voice_provider key_terms voicemail_message transfer_targets filler_after_ms phrases"],
  ])("the channel %s gives no effect to these settings: %s", async (channel, fields) => {
    const effects = await effectsOn(channel);
    for (const field of fields.split(" ")) expect([field, effects.get(field)?.effective]).toEqual([field, false]);
  });

  it("every setting reaches a custom runtime", async () => {
    const effects = await effectsOn("own_runtime");
    expect([...effects.values()].filter(({ effective }) => !effective)).toEqual([]);
    expect(effects.get("voice_id")?.reason).toBe("your runtime gets it in its session");
  });

  it("the effect states which voice an empty voice_id means", async () => {
    const { body } = await owner.server.post<{ id: string }>("/api/v1/agents", {
      name: "A",
      voice_provider: "elevenlabs",
    });
    const { body: found } = await owner.server.get<{ settings: Effect[] }>(
      `/api/v1/agents/${body.id}/effect?channel=twilio`,
    );
    const voice = found.settings.find(({ field }) => field === "voice_id");
    expect(voice).toMatchObject({ effective: true, instead: "Twilio's default voice of ElevenLabs for en-US" });
  });

  it("the effect of settings is only available for a known channel and an agent of the account", async () => {
    expect((await owner.server.get(`/api/v1/agents/${id}/effect?channel=pigeon`)).status).toBe(400);
    expect((await (await tenant()).server.get(`/api/v1/agents/${id}/effect?channel=twilio`)).status).toBe(404);
  });
});

describe("the warning of settings without effect", () => {
  const defaults = newAgentFields.parse({ name: "A" });

  it.each(CHANNELS)("an agent with default settings gets no warning on %s", (channel) => {
    expect(settingsWithoutEffect(defaults, speakerOn(env, channel))).toEqual([]);
  });

  it("names the chosen settings and what happens instead", () => {
    const chosen = Object.assign({}, defaults, { voice_provider: "deepgram", key_terms: ["Acme"] });
    expect(settingsWithoutEffect(chosen, "sandbox")).toEqual([
      "voice_provider: the sandbox exchanges text (text)",
      "key_terms: the sandbox exchanges text (nothing)",
    ]);
  });

  it("a number's check includes the warning of settings without effect", async () => {
    const number = { e164: "+12025550188", provider: "sandbox", agent_id: id };
    const { body } = await owner.server.post<{ id: string }>("/api/v1/telephony/numbers", number);
    const { body: check } = await owner.server.post<{ warnings: { code: string; message: string }[] }>(
      `/api/v1/telephony/numbers/${body.id}/check`,
    );
    expect(check.warnings.map(({ code }) => code)).toEqual(["language_without_phrases", "setting_without_effect"]);
    expect(check.warnings[0]?.message).toContain("tr-TR, yo-NG");
  });
});

it("the effect of every setting is known", () => {
  expect(SETTINGS.length).toBeGreaterThan(25);
});
