import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallOrder, Next, RelaySettings } from "../../../src/phone/carriers/carrier.ts";
import {
  CARRIERS,
  type CarrierName,
  elementsOf,
  GERMAN,
  lineTo,
  ORDER,
  ordered,
  reportOf,
  spokenIn,
  textsOf,
} from "./support.ts";

const SENTENCE = `You are talking to an AI, "not" a person <&> ]]>.`;
const ENGLISH = { text: SENTENCE, language: "en" };
const DEUTSCH = { text: "Sie sprechen mit einer KI.", language: "de" };
const ANNOUNCEMENT = "Das Gespräch wird aufgezeichnet.";
const RECORDED = { announcement: ANNOUNCEMENT };
const SPEAKS_TEXT: readonly CarrierName[] = ["twilio", "telnyx"];
/** Carriers that receive all instructions at once. Telnyx receives them one after another. */
const BY_DOCUMENT = CARRIERS.filter((name) => name !== "telnyx");
const DIRECTIONS = ["outbound", "inbound"] as const;
type Direction = (typeof DIRECTIONS)[number];

/** Returns a carrier's instructions for an answered call. */
async function documentOf(name: CarrierName, direction: Direction, order: CallOrder): Promise<string> {
  const { carrier, sent } = await lineTo(name);
  const call = { provider_call_id: "in-1", from_number: order.to_number, to_number: order.from_number };
  if (direction === "inbound") return (await carrier.inbound?.connect(call, order))?.body ?? "";
  await carrier.originate(order);
  const body = sent[0]?.body ?? "";
  if (name === "vonage") return JSON.stringify(JSON.parse(body).ncco);
  const fields = new URLSearchParams(body);
  const inline = fields.get("Twiml");
  if (inline !== null) return inline;
  const url = name === "plivo" ? JSON.parse(body).answer_url : fields.get("Url");
  const answered = name === "plivo" ? "CallUUID=p&Event=StartApp&CallStatus=in-progress" : "CallSid=CA1";
  return (await carrier.answer?.(reportOf(answered, url), async () => order))?.body ?? "";
}

/** Plays Telnyx's reports of a call that begins with texts. Returns the commands that it received. */
async function playTelnyx(
  order: CallOrder,
  { refuses = Number.POSITIVE_INFINITY, cuts = Number.POSITIVE_INFINITY, next = async () => order as never } = {} as {
    /** The index of the text that Telnyx refuses to speak, and of the text that it cuts when it detects a machine. */
    refuses?: number;
    cuts?: number;
    next?: Next;
  },
) {
  let spoken = 0;
  const { carrier, sent } = await lineTo("telnyx", ({ path }) => {
    if (!path.endsWith("/speak")) return Response.json({ data: { call_control_id: "v3:1" } });
    return spoken++ === refuses ? Response.json({ errors: [] }, { status: 422 }) : Response.json({ data: {} });
  });
  await carrier.originate(order);
  let state: string | undefined = JSON.parse(sent[0]?.body ?? "").client_state;
  let event = "call.answered";
  for (let n = 0; state !== undefined && n < 9; n++) {
    const payload = {
      call_control_id: "v3:1",
      client_state: state,
      status: n - 1 === cuts ? "cancelled_amd" : "completed",
    };
    const before = sent.length;
    await carrier.answer?.(reportOf(JSON.stringify({ data: { event_type: event, id: `ev${n}`, payload } })), next);
    const speech = sent.slice(before).find(({ path }) => path.endsWith("/speak"));
    state = speech && sent.at(-1) === speech ? JSON.parse(speech.body).client_state : undefined;
    event = "call.speak.ended";
  }
  const commands = sent.slice(1).map(({ path, body }) => ({ action: path.split("/").at(-1), json: JSON.parse(body) }));
  const heard = commands.flatMap(({ action, json }) =>
    action === "speak" ? [{ text: String(json.payload), voice: String(json.voice) }] : [],
  );
  return { commands: commands.map(({ action }) => action), heard };
}

const inText = (name: CarrierName): RelaySettings | null => (SPEAKS_TEXT.includes(name) ? GERMAN : null);
/** Returns what a carrier speaks before it connects the call. */
async function heardBy(name: CarrierName, direction: Direction, order: CallOrder) {
  if (name === "telnyx") {
    const { heard, commands } = await playTelnyx(order);
    return { heard, connects: commands.at(-1) };
  }
  return spokenIn(await documentOf(name, direction, order));
}

describe.each(CARRIERS)("%s", (name) => {
  it.each(DIRECTIONS)("speaks the disclosure before it connects an %s call, then the announcement", async (way) => {
    for (const relay of [null, inText(name)]) {
      const order = ordered({
        relay,
        language: "en-US",
        disclosure: ENGLISH,
        recording: { announcement: "Recorded." },
      });
      const { heard, connects } = await heardBy(name, way, order);
      expect(textsOf(heard).join(" ")).toBe(`${SENTENCE} Recorded.`);
      expect(connects).toMatch(/connect|stream|conversation_relay_start/i);
      const silent = await heardBy(name, way, ordered({ relay }));
      expect(silent.heard).toEqual([]);
    }
  });

  it("speaks any sentence completely in a well-formed document", async () => {
    const text = fc
      .string({ unit: fc.constantFrom(..."aZ0 ß'\"<>&]/!-{}€語ع😀"), minLength: 1, maxLength: 300 })
      .map((raw) => raw.trim() || "x");
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(...DIRECTIONS), fc.boolean(), async (sentence, way, asText) => {
        const relay = asText ? inText(name) : null;
        const order = ordered({ relay, disclosure: { text: sentence, language: "de" } });
        expect(textsOf((await heardBy(name, way, order)).heard)).toEqual([sentence]);
      }),
      { numRuns: 40 },
    );
  });

  it("speaks a German text for an Austrian agent with a German voice, and an English one with an English voice", async () => {
    const voices: Record<CarrierName, [german: string, english: string]> = {
      twilio: ["Polly.Vicki", ""],
      signalwire: ["Polly.Vicki", ""],
      plivo: ["Polly.Vicki", ""],
      vonage: ["de-AT", ""],
      telnyx: ["AWS.Polly.Vicki", "AWS.Polly.Joanna"],
    };
    const [german, english] = voices[name];
    const order = ordered({ relay: inText(name), recording: RECORDED });
    const alike = await heardBy(name, "outbound", Object.assign({}, order, { disclosure: DEUTSCH }));
    expect(new Set(alike.heard.map(({ voice }) => voice))).toEqual(new Set([german]));
    const mixed = await heardBy(name, "outbound", Object.assign({}, order, { disclosure: ENGLISH }));
    expect(mixed.heard).toEqual([
      { text: SENTENCE, voice: english },
      { text: ANNOUNCEMENT, voice: german },
    ]);
  });
});

describe.each(["twilio", "signalwire"] as const)("%s", (name) => {
  it("fetches a document by its address if the disclosure makes it too long for a request", async () => {
    const disclosure = { text: "&".repeat(300), language: "en" };
    const order = ordered({ disclosure, recording: { announcement: `"`.repeat(500) } });
    const { carrier, sent } = await lineTo(name);
    await carrier.originate(order);
    const fields = new URLSearchParams(sent[0]?.body);
    expect(fields.get("Twiml")).toBeNull();
    const url = fields.get("Url") ?? "";
    expect(new URL(url).searchParams.get("document")).toBe("1");
    expect(new URL(url).searchParams.get("token")).toBe("t");
    const served = (await carrier.answer?.(reportOf("CallSid=CA1", url), async () => order))?.body ?? "";
    expect(served.length).toBeGreaterThan(4_000);
    expect(textsOf(spokenIn(served).heard)).toEqual([disclosure.text, `"`.repeat(500)]);
  });

  it("keeps a document of 4,000 characters in the request, and fetches one of 4,001", async () => {
    const formOf = async (length: number) => {
      const { carrier, sent } = await lineTo(name);
      await carrier.originate(ordered({ disclosure: { text: "x".repeat(length), language: "en" } }));
      return new URLSearchParams(sent[0]?.body);
    };
    const room = 4_000 - ((await formOf(1)).get("Twiml") ?? "").length + 1;
    expect((await formOf(room)).get("Twiml")).toHaveLength(4_000);
    expect((await formOf(room + 1)).get("Url")).toContain("document=1");
  });
});

describe("a document of a carrier", () => {
  it.each(BY_DOCUMENT)(
    "a document for %s always contains the disclosure, even if the greeting is left out",
    async (name) => {
      const relay = inText(name) && Object.assign({}, GERMAN, { greeting: "Hallo. ".repeat(600) });
      const document = await documentOf(name, "inbound", ordered({ relay, disclosure: ENGLISH }));
      expect(document).not.toContain("Hallo. Hallo.");
      expect(textsOf(spokenIn(document).heard)).toEqual([SENTENCE]);
    },
  );
});

describe("texts of different voices at Telnyx", () => {
  const order = ordered({ disclosure: ENGLISH, recording: RECORDED });
  const unspoken = () => {
    const asked: (string | undefined)[] = [];
    const next: Next = async (begins) => {
      asked.push(begins);
      return order;
    };
    return { asked, next };
  };

  it("texts of different voices are spoken one after the other before Telnyx connects the call", async () => {
    const { asked, next } = unspoken();
    const { commands, heard } = await playTelnyx(order, { next });
    expect(commands).toEqual(["speak", "speak", "streaming_start"]);
    expect(heard).toEqual([
      { text: SENTENCE, voice: "AWS.Polly.Joanna" },
      { text: ANNOUNCEMENT, voice: "AWS.Polly.Vicki" },
    ]);
    expect(asked).not.toContain("unspoken");
  });

  it("texts of one voice are spoken as one text at Telnyx", async () => {
    const { heard } = await playTelnyx(ordered({ disclosure: DEUTSCH, recording: RECORDED }));
    expect(textsOf(heard)).toEqual([`${DEUTSCH.text} ${ANNOUNCEMENT}`]);
  });

  it.each(["leaving_message", "over", "handed_over"] as const)(
    "texts of different voices stop if the call is %s between them",
    async (state) => {
      const { commands } = await playTelnyx(order, { next: async () => state });
      expect(commands).toEqual(["speak"]);
    },
  );

  it.each([0, 1])("the disclosure is left to the runtime without recording if text %i is refused", async (refuses) => {
    const { asked, next } = unspoken();
    const { commands } = await playTelnyx(order, { refuses, next });
    expect(commands).toEqual([...Array(refuses + 1).fill("speak"), "record_stop", "streaming_start"]);
    expect(asked.at(-1)).toBe("unspoken");
  });

  it.each([0, 1])("the disclosure is left to the runtime if text %i is cut off", async (cuts) => {
    const { asked, next } = unspoken();
    const { commands } = await playTelnyx(order, { cuts, next });
    expect(commands).toEqual([...Array(cuts + 1).fill("speak"), "record_stop", "streaming_start"]);
    expect(asked.at(-1)).toBe("unspoken");
  });

  it("a call whose disclosure is refused is still recorded if there is no announcement", async () => {
    const { commands } = await playTelnyx(ordered({ disclosure: ENGLISH, recording: { announcement: null } }), {
      refuses: 0,
    });
    expect(commands).toEqual(["speak", "streaming_start"]);
  });
});

describe("a call whose socket broke", () => {
  const session = ordered({ relay: GERMAN, disclosure: ENGLISH });
  const twilioReport = (reconnected: number, more = "") =>
    reportOf(
      `CallSid=CA1&SessionId=VX1&SessionStatus=failed&CallStatus=in-progress${more}`,
      `${ORDER.webhook_url}${reconnected > 0 ? `&reconnected=${reconnected}` : ""}`,
    );
  const telnyxReport = (reconnected: number, reason = "customer_disconnect") => {
    const client_state = btoa(JSON.stringify({ call_id: "c1", reconnected }));
    const payload = { call_control_id: "v3:1", client_state, reason };
    return reportOf(JSON.stringify({ data: { event_type: "call.conversation.ended", id: "ev1", payload } }));
  };
  /** Returns the longest wait of each step, in order. */
  const steps = async (name: "twilio" | "telnyx", report: ReturnType<typeof reportOf>) => {
    const seen: (string | number)[] = [];
    const { carrier, sent } = await lineTo(
      name,
      () => Response.json({ data: {} }),
      async (longest_ms) => void seen.push(longest_ms),
    );
    const answer = await carrier.answer?.(report, async () => {
      seen.push("asks");
      return session;
    });
    const document = answer?.body ?? "";
    if (document.includes("<Connect")) seen.push("connects");
    for (const { path } of sent) seen.push(path.split("/").at(-1) ?? "");
    return { seen, document };
  };

  it("a broken socket reconnects after a random, doubling wait before anything is read", async () => {
    for (const [reconnected, wait] of [
      [0, 1_000],
      [1, 2_000],
      [2, 4_000],
    ] as const) {
      expect((await steps("twilio", twilioReport(reconnected))).seen).toEqual([wait, "asks", "connects"]);
      expect((await steps("telnyx", telnyxReport(reconnected))).seen).toEqual([
        wait,
        "asks",
        "conversation_relay_start",
      ]);
    }
  });

  it("a call whose socket broke still ends without delay", async () => {
    expect((await steps("twilio", twilioReport(3))).seen).toEqual([]);
    expect((await steps("twilio", twilioReport(0, "&HandoffData=x"))).seen).toEqual([]);
    expect((await steps("telnyx", telnyxReport(3))).seen).not.toContain(8_000);
    expect((await steps("telnyx", telnyxReport(0, "assistant_hangup"))).seen).toEqual(["asks", "hangup"]);
  });

  it("a call whose socket broke does not get the disclosure twice", async () => {
    const { document } = await steps("twilio", twilioReport(0));
    expect(spokenIn(document)).toEqual({ heard: [], connects: "Connect" });
  });
});

describe("a message to a machine", () => {
  const MESSAGE = { text: `Rufen Sie uns an: "A & B".`, language: "de-AT", before: ENGLISH };
  const ON_CALL = Object.assign({ provider_call_id: "v3:1", placed_at: 0, connected: true }, ORDER);
  const asked = Object.assign({ relay: false, instructions_url: `${ORDER.webhook_url}&message=1` }, MESSAGE);

  it.each(["twilio", "signalwire", "plivo"] as const)("begins with the disclosure at %s", async (name) => {
    const { carrier, sent } = await lineTo(name);
    await carrier.leaveMessage?.(ON_CALL, asked);
    const inline = new URLSearchParams(sent[0]?.body).get("Twiml");
    const document = inline ?? carrier.instructMessage?.(MESSAGE).body ?? "";
    const spoken = elementsOf(document).filter(({ name }) => name === "Say" || name === "Speak");
    expect(spoken.map(({ text, attributes: { voice = "" } }) => [text, voice])).toEqual([
      [SENTENCE, ""],
      [MESSAGE.text, "Polly.Vicki"],
    ]);
  });

  it("a message to a machine that is too long loses its end, never the disclosure", async () => {
    const { carrier } = await lineTo("twilio");
    const document = carrier.instructMessage?.(Object.assign({}, MESSAGE, { text: "Wort ".repeat(2_000) })).body ?? "";
    expect(document.length).toBeLessThanOrEqual(4_000);
    expect(textsOf(spokenIn(document.replace("<Hangup/>", "<Connect/>")).heard)[0]).toBe(SENTENCE);
  });

  it("begins with the disclosure at Vonage", async () => {
    const { carrier, sent } = await lineTo("vonage");
    await carrier.leaveMessage?.(ON_CALL, asked);
    const { ncco } = JSON.parse(sent[0]?.body ?? "").destination;
    const { heard } = spokenIn(JSON.stringify([...ncco, { action: "connect" }]));
    expect(heard).toEqual([
      { text: SENTENCE, voice: "" },
      { text: MESSAGE.text, voice: "de-AT" },
    ]);
  });

  it("begins with the disclosure at Telnyx, and starts again if the machine's beep cut it off", async () => {
    const { carrier, sent } = await lineTo("telnyx");
    await carrier.leaveMessage?.(ON_CALL, asked);
    const spoken = () => JSON.parse(sent.at(-1)?.body ?? "{}");
    const ends = async (n: number, status = "completed") => {
      const payload = { call_control_id: "v3:1", client_state: spoken().client_state, status };
      const report = reportOf(JSON.stringify({ data: { event_type: "call.speak.ended", id: `ev${n}`, payload } }));
      await carrier.answer?.(
        report,
        async () => "leaving_message",
        async () => MESSAGE,
      );
    };
    expect(spoken()).toMatchObject({ payload: SENTENCE, voice: "AWS.Polly.Joanna", command_id: "message-c1" });
    await ends(1);
    expect(spoken()).toMatchObject({ payload: MESSAGE.text, voice: "AWS.Polly.Vicki", command_id: "ev1" });
    await ends(2, "cancelled_amd");
    expect(spoken()).toMatchObject({ payload: SENTENCE, command_id: "ev2" });
    await ends(3);
    await ends(4);
    expect(sent.at(-1)?.path).toBe("/v2/calls/v3%3A1/actions/hangup");
  });
});
