import { describe, expect, it } from "vitest";
import type { RelaySettings } from "../../../src/phone/carriers/carrier.ts";
import { telnyxTranscription, voiceAttributes, vonageLanguage } from "../../../src/phone/carriers/voices.ts";
import { GERMAN, lineTo, NOW, ordered, reportOf } from "./support.ts";

const RELAY: RelaySettings = Object.assign({}, GERMAN, {
  key_terms: ["Łukasz", `"Acme" ]]> & Söhne`],
  suppresses_noise: true,
});
const order = (relay: Partial<RelaySettings> = {}) => ordered({ relay: Object.assign({}, RELAY, relay) });
const formOf = ({ sent }: Awaited<ReturnType<typeof lineTo>>) => new URLSearchParams(sent[0]?.body);

describe("Twilio", () => {
  const documentFor = async (relay: Partial<RelaySettings>) => {
    const line = await lineTo("twilio");
    await line.carrier.originate(order(relay));
    return formOf(line).get("Twiml") ?? "";
  };

  it("Twilio is told the agent's languages and key terms", async () => {
    const document = await documentFor({});
    expect(document).toContain('language="de-AT"');
    expect(document).toContain('<Language code="de-AT"/><Language code="tr-TR"/>');
    expect(document).toContain('hints="Łukasz,&#34;Acme&#34; ]]&#62; &#38; Söhne"');
  });

  it("speaks each language with the agent's voice if Twilio has it", async () => {
    const document = await documentFor({ voice_provider: "elevenlabs", voice_id: "v1" });
    expect(document).toContain('<Language code="tr-TR" ttsProvider="ElevenLabs" voice="v1"/>');
  });

  it("keeps its own language if it does not support the agent's", async () => {
    expect(await documentFor({ language: "tlh", languages: [] })).not.toContain("language=");
  });

  it("fetches the complete document if it is too long for the request", async () => {
    const line = await lineTo("twilio");
    const key_terms = Array.from({ length: 100 }, (_, n) => `"""""""${n}`);
    await line.carrier.originate(order({ key_terms }));
    const form = formOf(line);
    expect(form.get("Twiml")).toBeNull();
    const url = form.get("Url") ?? "";
    expect(url).toMatch(/\?token=t&document=1#/);
    const webhook = reportOf("CallSid=CA1&CallStatus=in-progress", url);
    const session = order({ key_terms, greeting: "" });
    const served = (await line.carrier.answer?.(webhook, async () => session))?.body ?? "";
    expect(served.length).toBeGreaterThan(4_000);
    expect(served).toContain('language="de-AT"');
    expect((await line.carrier.answer?.(webhook, async () => "over"))?.body).toContain("<Hangup/>");
  });

  it("speaks announcements and messages with a voice of the language", async () => {
    const line = await lineTo("twilio");
    await line.carrier.originate(
      Object.assign(order(), { recording: { announcement: "Das Gespräch wird aufgezeichnet." } }),
    );
    expect(formOf(line).get("Twiml")).toContain('<Say language="de-DE" voice="Polly.Vicki">Das Gespräch');
    const message = line.carrier.instructMessage?.({ text: "Привіт", language: "uk-UA" });
    expect(message?.body).toContain('<Say language="uk-UA" voice="Google.uk-UA-Standard-A">Привіт</Say>');
    expect(line.carrier.instructMessage?.({ text: "Hi", language: "en-US" }).body).toContain("<Say>Hi</Say>");
  });
});

describe("Telnyx", () => {
  const configFor = async (relay: Partial<RelaySettings>) => {
    const { carrier, sent } = await lineTo("telnyx");
    await carrier.originate(order(relay));
    return JSON.parse(sent[0]?.body ?? "");
  };

  it("recognizes German by nova-3 with key terms, and Turkish by Google, which nova-3 lacks", async () => {
    const { conversation_relay_config: config } = await configFor({ key_terms: ["Acme"] });
    const german = {
      language: "de-AT",
      voice: "AWS.Polly.Vicki",
      transcription_engine: "Deepgram",
      transcription_engine_config: { transcription_model: "deepgram/nova-3", language: "de", keyterms: ["Acme"] },
    };
    const turkish = {
      language: "tr-TR",
      voice: "AWS.Polly.Filiz",
      transcription_engine: "Google",
      transcription_engine_config: { language: "tr", hints: ["Acme"] },
    };
    expect(config).toMatchObject(german);
    expect(config.languages).toEqual([german, turkish]);
  });

  it.each(["pl", "tr", "hi", "it"])("Telnyx recognizes the language %s by Google", (language) => {
    expect(telnyxTranscription(language, [])).toEqual({
      transcription_engine: "Google",
      transcription_engine_config: { language },
    });
  });

  it("suppresses noise once the call is answered, if the agent wants it", async () => {
    for (const suppresses_noise of [true, false]) {
      const { client_state } = await configFor({ suppresses_noise });
      const { carrier, sent } = await lineTo("telnyx");
      const payload = { call_control_id: "v3:1", client_state };
      const body = JSON.stringify({ data: { event_type: "call.answered", id: "ev1", payload } });
      await carrier.answer?.(reportOf(body), async () => "over");
      const commands = sent.map(({ path, body: json }) => [path, JSON.parse(json)]);
      const started = ["/v2/calls/v3%3A1/actions/suppression_start", { direction: "inbound", command_id: "noise-ev1" }];
      expect(commands).toEqual(suppresses_noise ? [started] : []);
    }
  });

  it("leaves messages in the agent's language", async () => {
    const { carrier, sent } = await lineTo("telnyx");
    const call = Object.assign(order(), { provider_call_id: "v3:1", placed_at: NOW, connected: true });
    await carrier.leaveMessage?.(call, { text: "Merhaba", language: "tr-TR", relay: true, instructions_url: "" });
    expect(JSON.parse(sent.at(-1)?.body ?? "")).toMatchObject({ payload: "Merhaba", voice: "AWS.Polly.Filiz" });
  });
});

describe("the other carriers", () => {
  it("reject callers in the language of the number's agent", async () => {
    const call = { provider_call_id: "1", from_number: "+1", to_number: "+2" };
    const sorry = { text: "Diese Nummer nimmt keine Anrufe entgegen.", language: "de-DE" };
    const wire = await lineTo("signalwire");
    expect((await wire.carrier.inbound?.reject(call, sorry))?.body).toContain(
      '<Say language="de-DE" voice="Polly.Vicki">Diese',
    );
    const plivo = await lineTo("plivo");
    expect((await plivo.carrier.inbound?.reject(call, sorry))?.body).toContain('<Speak voice="Polly.Vicki">Diese');
  });

  it("speak their own English if they have no voice for the language", () => {
    expect(voiceAttributes("signalwire", "uk-UA")).toEqual({});
    expect(vonageLanguage("tlh")).toBeUndefined();
    expect([vonageLanguage("de"), vonageLanguage("pt-PT"), vonageLanguage("ar-EG")]).toEqual(["de-DE", "pt-PT", "ar"]);
  });
});
