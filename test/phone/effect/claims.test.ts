import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newAgentFields } from "../../../src/agent/agents/contract.ts";
import { sessionSnapshot } from "../../../src/conversation/runtime/session/snapshot-document.ts";
import type { agents } from "../../../src/kernel/db/schema/index.ts";
import { relaySettings } from "../../../src/phone/calls/relay-settings.ts";
import type { CallOrder, CarrierKind } from "../../../src/phone/carriers/carrier.ts";
import { base64 } from "../../../src/phone/carriers/signature.ts";
import { telnyx } from "../../../src/phone/carriers/telnyx.ts";
import { twilio } from "../../../src/phone/carriers/twilio.ts";
import { effectOf, SETTINGS, type Setting, speakerOn } from "../../../src/phone/effect/effect.ts";

/* Compares the reported effect of a setting with what the carrier of a call actually receives. */

type Agent = typeof agents.$inferSelect;
const agentWith = (changes: object): Agent =>
  Object.assign({}, newAgentFields.parse({ name: "A", greeting_message: "Hello!", noise_suppression_enabled: false }), {
    account: "acme",
    id: "a1",
    published_version: null,
    active_prompt_id: null,
    created_by: "",
    created_at: "",
    updated_at: "",
    updated_by: "",
    revised_at: "",
    revision: 1,
    ...changes,
  });

const call = { direction: "outbound", from_number: "+12025550100", to_number: "+12025550199" } as const;
const orderOf = (agent: Agent): CallOrder => ({
  account: "acme",
  call_id: "c1",
  from_number: call.from_number,
  to_number: call.to_number,
  webhook_url: "https://switchboard.example/api/telephony/webhooks/x/acme/c1?token=t",
  session_token: "token",
  greeted_token: "greeted",
  runtime_url: "wss://media.example/ws",
  relay: relaySettings({ agent, account_name: "Acme", call, variables: [] }),
  language: agent.language,
  disclosure: null,
  recording: null,
  detects_machines: false,
  leaves_message: false,
  ring_timeout: 60,
  max_duration: 600,
});

/** Returns what a carrier receives for placing a call of an agent. */
async function toldBy<C>(kind: CarrierKind<C>, credentials: unknown, answer: object, agent: Agent): Promise<string> {
  let told = "";
  const carrier = kind.connect(kind.credentials.parse(credentials), {
    account: "acme",
    env,
    fetch: async (_, init) => {
      told = String(init?.body ?? "");
      return Response.json(answer);
    },
    now: () => Date.parse("2026-11-21T09:30:00.000Z"),
  });
  await carrier.originate(orderOf(agent));
  return told;
}
const TELNYX = { api_key: "secret", connection_id: "1", public_key: base64(new Uint8Array(32)) };
const TOLD = {
  twilio: (agent: Agent) =>
    toldBy(twilio, { account_sid: "AC1", auth_token: "secret" }, { sid: "CA1", status: "queued" }, agent),
  telnyx: (agent: Agent) => toldBy(telnyx, TELNYX, { data: { call_control_id: "v3:1" } }, agent),
};

/** A setting before and after a change, with others that it depends on. */
const CHANGES: [setting: Setting, before: unknown, after: unknown, beside?: object][] = [
  ["voice_provider", "cartesia", "deepgram"],
  ["voice_provider", "cartesia", "elevenlabs"],
  ["voice_id", "", "v1", { voice_provider: "cartesia" }],
  ["voice_id", "", "v1", { voice_provider: "elevenlabs" }],
  ["background_audio_enabled", false, true],
  ["background_audio_volume", 0.5, 0.9, { background_audio_enabled: true }],
  ["ringing_enabled", false, true],
  ["noise_suppression_enabled", false, true],
  ["greeting_mode", "interruptible", "locked"],
  ["greeting_message", "Hello!", "Good morning!"],
  ["language", "en-US", "de-DE"],
  ["language", "en-US", "tr-TR"],
  ["languages", [], ["tr-TR"]],
  ["languages", [], ["yo-NG"], { language: "de-DE" }],
  ["key_terms", [], ["Acme"]],
  ["key_terms", [], ["Acme"], { language: "tr-TR" }],
];

describe.each(["twilio", "telnyx"] as const)("on %s", (channel) => {
  it.each(CHANGES)(
    "the setting %s is effective exactly if the carrier is told it: %j, then %j",
    async (field, before, after, beside) => {
      const [plain, changed] = [before, after].map((value) => agentWith(Object.assign({ [field]: value }, beside)));
      if (!plain || !changed) throw new TypeError("two agents");
      const told = TOLD[channel];
      const isTold = (await told(plain)) !== (await told(changed));
      const effect = effectOf(changed, channel, false).find((setting) => setting.field === field);
      // Even a language that the carrier does not support makes it list the main language, so the order changes anyway.
      if (field === "languages") expect(effect?.effective).toBe(String(await told(changed)).includes(String(after)));
      else expect([field, effect?.effective]).toEqual([field, isTold]);
    },
  );

  it.each(["en-US", "en-GB", "de-AT", "tr-TR", "yo-NG", "uk-UA"])(
    "an empty voice is the stated one in %s",
    async (language) => {
      const agent = agentWith({ language, voice_provider: "cartesia", voice_id: "" });
      const { instead } = effectOf(agent, channel, false).find(({ field }) => field === "voice_id") ?? {};
      const told = await TOLD[channel](agent);
      const [, polly] = /AWS\.Polly\.(\w+)/.exec(told) ?? [];
      if (polly !== undefined) expect(instead).toBe(`Amazon Polly's voice ${polly}`);
      else
        expect(instead).toBe(
          `${channel === "twilio" ? "Twilio" : "Telnyx"}'s own voice for ${language === "yo-NG" ? "en-US" : language}`,
        );
    },
  );
});

describe("a custom runtime and the effect of settings", () => {
  const handed = effectOf(agentWith({}), "runtime", false).filter(({ reason }) => reason !== null);

  it("receives exactly the settings that are marked effective", () => {
    const inSession = Object.keys(sessionSnapshot.shape.agent.shape);
    // The service itself enforces these settings, whatever a runtime does.
    const kept = ["transfer_targets", "storage", "redact"];
    const expected = SETTINGS.filter((field) => inSession.includes(field) && !kept.includes(field));
    expect(handed.map(({ field }) => field).toSorted()).toEqual(expected.toSorted());
  });

  it.each(["signalwire", "vonage", "plivo"] as const)(
    "a custom runtime is required for %s, otherwise no setting has an effect",
    (channel) => {
      expect(speakerOn({ VOICE_RUNTIME_URL: "wss://media.example" }, channel)).toBe("runtime");
      const without = effectOf(agentWith({}), speakerOn({ VOICE_RUNTIME_URL: "" }, channel), false);
      expect(without.filter(({ effective }) => effective)).toEqual([]);
      expect(without[0]?.reason).toContain("VOICE_RUNTIME_URL");
    },
  );
});

describe("phrases of an agent with a language that has no sentences", () => {
  it("have an effect in the agent's own language, and state what is heard in the other", () => {
    const agent = agentWith({ language: "de-DE", languages: ["tr-TR"] });
    const { effective, instead } = effectOf(agent, "twilio", false).find(({ field }) => field === "phrases") ?? {};
    expect([effective, instead]).toEqual([true, "English sentences in tr-TR"]);
  });
});

describe("phrases in the widget", () => {
  it("phrases are partly without effect in the widget if some are only spoken on calls", () => {
    const phrases = Object.assign({}, newAgentFields.parse({ name: "A" }).phrases);
    const notes = (changes: object) =>
      effectOf(agentWith({ phrases: Object.assign({}, phrases, changes) }), "widget", false).find(
        ({ field }) => field === "phrases",
      );
    expect(notes({ apology: "Oh." })).toMatchObject({ effective: true, instead: null });
    expect(notes({ goodbye: "Bye." })).toMatchObject({ effective: true, instead: expect.stringContaining("goodbye") });
  });
});
