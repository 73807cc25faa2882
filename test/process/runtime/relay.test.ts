import { generateKeyPairSync, sign } from "node:crypto";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInSentences } from "../../../src/agent/speech/sentences.ts";
import { type Account, type Service, startService } from "../../browser/service.ts";
import { type StandIn, standIn } from "../carriers/stand-in.ts";
import { twilioSignature } from "../support/twilio-signature.ts";
import { type Come, type Frame, Line } from "./line.ts";

/** Tests calls by carriers that convert speech to text, played by stand-ins, from the order to the record. */
const NUMBER = "+12025550100";
const CALLEE = "+12025550123";
const AUTH_TOKEN = "a-token-of-twilio";
const { resumed: RESUMED } = builtInSentences("en");
/** An answer that a voice speaks for 15 s, longer than any machine needs to continue the test. */
const LONG_ANSWER =
  "Our doors are open to everybody who wants to look around, to ask a question or to bring something back, and there is no need to call before you come or to make an appointment. We are here from Monday to Friday, nine to five.";
const edwards = generateKeyPairSync("ed25519");
const PUBLIC_KEY = (edwards.publicKey.export({ format: "der", type: "spki" }) as Buffer)
  .subarray(-32)
  .toString("base64");

let carrier: StandIn;
let service: Service;
beforeAll(async () => {
  carrier = await standIn();
  service = await startService({ TWILIO_API_URL: carrier.url, TELNYX_API_URL: carrier.url });
});
afterAll(() => Promise.all([carrier.stop(), service.close()]));

interface Conversation {
  status: string;
  end_reason: string | null;
  turns: { role: string; text: string; interrupted: boolean }[];
}

/** Creates an account with a number at the carrier, and an agent that knows one thing. */
async function account(provider: string, credentials: object): Promise<Account & { agent_id: string }> {
  const created = await service.account([]);
  const { server, agent } = created;
  const faq = await server<{ id: string }>("POST", "/api/v1/faqs", {
    name: "when_we_are_open",
    title: "Opening hours",
    summary: "When are you open?",
    content: LONG_ANSWER,
  });
  await server("POST", `/api/v1/agents/${agent.id}/faqs`, { faq_id: faq.id });
  const greeting_message = "Hello {{first_name|there}}, this is {{agent_name}}.";
  await server("PATCH", `/api/v1/agents/${agent.id}`, { status: "active", greeting_message });
  const { id } = await server<{ id: string }>("POST", "/api/v1/telephony/providers", { provider, credentials });
  await server("POST", "/api/v1/telephony/numbers", { e164: NUMBER, credentials_id: id, agent_id: agent.id });
  return { ...created, agent_id: agent.id };
}

async function conversation({ server }: Account, callId: string): Promise<Conversation> {
  const list = await server<{ conversations: { id: string }[] }>("GET", `/api/v1/conversations?call_id=${callId}`);
  return server<Conversation>("GET", `/api/v1/conversations/${list.conversations[0]?.id}`);
}

/** Returns the agent's words until it is done, or why it says nothing more. */
async function spoken(line: Line): Promise<string> {
  let text = "";
  for (;;) {
    const come: Come = await line.next();
    if (typeof come === "string") return come;
    if (come.type !== "text") return come.type;
    text += come.token ?? "";
    if (come.last) return text;
  }
}
const prompt = (line: Line, voicePrompt: string) =>
  line.send({ type: "prompt", voicePrompt, lang: "en-US", last: true });

/** Talks over the agent, so that no test waits until a voice has spoken everything. */
function talkOver(line: Line, voicePrompt: string, heard = ""): void {
  line.send({ type: "interrupt", utteranceUntilInterrupt: heard });
  prompt(line, voicePrompt);
}

describe("a Twilio call with the built-in runtime", () => {
  const attribute = (xml: string, name: string) =>
    new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1]?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)) ?? "";
  const parameter = (xml: string, name: string) =>
    new RegExp(`<Parameter name="${name}" value="([^"]*)"`).exec(xml)?.[1];

  async function placed() {
    const who = await account("twilio", { account_sid: "AC1", auth_token: AUTH_TOKEN });
    carrier.play(() => ({ status: 201, body: { sid: "CA1", status: "queued" } }));
    const { call_id } = await who.server<{ call_id: string }>("POST", "/api/v1/calls/originate", {
      agent_id: who.agent_id,
      from_number: NUMBER,
      to_number: CALLEE,
      variables: { First_Name: "Łukasz" },
    });
    const form = new URLSearchParams(carrier.requests.at(-1)?.body);
    return {
      ...who,
      call_id,
      twiml: form.get("Twiml") ?? "",
      callback: form.get("StatusCallback")?.split("#")[0] ?? "",
    };
  }

  const signature = (url: string, fields: Record<string, string> = {}, key = AUTH_TOKEN) =>
    twilioSignature(key, url, fields);

  /** Sends a report as Twilio signs it. */
  async function report(address: string, fields: Record<string, string>): Promise<string> {
    // The fragment is an instruction for Twilio itself.
    const [url = ""] = address.split("#");
    const form = { CallSid: "CA1", CallStatus: "in-progress", ...fields };
    const headers = { "x-twilio-signature": signature(url, form) };
    const answer = await fetch(url, { method: "POST", headers, body: new URLSearchParams(form) });
    expect(answer.ok).toBe(true);
    return answer.text();
  }

  function connected(twiml: string): Promise<Line> {
    const url = attribute(twiml, "url");
    const customParameters = { session_token: parameter(twiml, "session_token") ?? "" };
    return Line.open(url, customParameters, { "x-twilio-signature": signature(url) });
  }

  /** Returns the status of a handshake without a valid signature. */
  function refused(url: string, headers: Record<string, string>): Promise<number | undefined> {
    const handshake = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
    const upgrade = request(url.replace(/^ws/, "http"), {
      headers: { ...handshake, "sec-websocket-key": btoa("0123456789abcdef"), ...headers },
    });
    return new Promise((resolve, reject) => {
      upgrade.on("response", ({ statusCode }) => resolve(statusCode));
      upgrade.on("upgrade", (_, socket) => {
        socket.destroy();
        resolve(101);
      });
      upgrade.on("error", reject);
      upgrade.end();
    });
  }

  it("a Twilio call continues over a broken socket and hangs up after the agent's goodbye", async () => {
    const call = await placed();
    expect(attribute(call.twiml, "welcomeGreeting")).toBe("Hello Łukasz, this is Ada.");
    const action = attribute(call.twiml, "action");
    await report(call.callback, {});

    const line = await connected(call.twiml);
    talkOver(line, "When are you open?", "Hello Łukasz, this is Ada.");
    expect(await spoken(line)).toContain("nine to five");
    line.break();
    const again = await report(action, { SessionId: "VX1", SessionStatus: "failed", ErrorCode: "64105" });
    expect(attribute(again, "welcomeGreeting")).toBe("");

    const second = await connected(again);
    const rest = await spoken(second);
    expect([rest.startsWith(`${RESUMED} `), rest.endsWith("nine to five.")]).toEqual([true, true]);
    talkOver(second, "Thank you, goodbye!");
    expect(await spoken(second)).toContain("oodbye");
    const end = (await second.next()) as Frame;
    expect(end.type).toBe("end");
    const over = { SessionId: "VX2", SessionStatus: "ended", HandoffData: end.handoffData ?? "" };
    expect(await report(attribute(again, "action"), over)).toContain("<Response><Hangup/></Response>");
    await report(call.callback, { CallStatus: "completed" });

    const held = await conversation(call, call.call_id);
    expect(held).toMatchObject({ status: "ended", end_reason: "agent_ended" });
    expect(
      held.turns
        .filter(({ role }) => role !== "tool")
        .map(({ role, interrupted }) => `${role}${interrupted ? " interrupted" : ""}`),
    ).toEqual(["agent interrupted", "user", "agent interrupted", "agent interrupted", "user", "agent"]);
    expect(held.turns[0]?.text).toBe("Hello Łukasz, this is Ada.");
    const { status, end_reason } = await call.server<Record<string, string>>("GET", `/api/v1/calls/${call.call_id}`);
    expect({ status, end_reason }).toEqual({ status: "completed", end_reason: "answered" });
    // An ended conversation is not continued, whatever is reported about it.
    const late = { SessionId: "VX3", SessionStatus: "failed", ErrorCode: "64105" };
    expect(await report(action, late)).toContain("<Hangup/>");
  });

  it("a Twilio call continues if its agent is deleted, but not if its conversation is", async () => {
    const call = await placed();
    const action = attribute(call.twiml, "action");
    await report(call.callback, {});
    const line = await connected(call.twiml);
    prompt(line, "When are you open?");
    expect(await spoken(line)).toContain("nine to five");
    await call.server("DELETE", `/api/v1/agents/${call.agent_id}`);
    line.break();
    const broken = { SessionId: "VX1", SessionStatus: "failed", ErrorCode: "64105" };
    const second = await connected(await report(action, broken));
    expect(await spoken(second)).toContain(RESUMED);
    talkOver(second, "When are you open?");
    expect(await spoken(second)).toContain("nine to five");
    const { conversations } = await call.server<{ conversations: { id: string }[] }>(
      "GET",
      `/api/v1/conversations?call_id=${call.call_id}`,
    );
    await call.server("DELETE", `/api/v1/conversations/${conversations[0]?.id}`);
    expect(await report(action, { ...broken, SessionId: "VX2" })).toContain("<Response><Hangup/></Response>");
  });

  it("a campaign's caller is greeted by name, and by the runtime if the greeting tells the time", async () => {
    const who = await account("twilio", { account_sid: "AC1", auth_token: AUTH_TOKEN });
    const dialled = async (greeting_message: string) => {
      await who.server("PATCH", `/api/v1/agents/${who.agent_id}`, { greeting_message });
      carrier.play(() => ({ status: 201, body: { sid: "CA1", status: "queued" } }));
      const form = new FormData();
      form.set("contacts", new File([`phone_number,first name\n${CALLEE},Grace & Co\n`], "c.csv"));
      form.set("agent_id", who.agent_id);
      form.set("from_number", NUMBER);
      const { id } = await who.upload<{ id: string }>("/api/v1/campaigns", form);
      await who.server("POST", `/api/v1/campaigns/${id}/start`);
      await expect.poll(() => carrier.requests.length).toBeGreaterThan(0);
      return new URLSearchParams(carrier.requests[0]?.body).get("Twiml") ?? "";
    };
    const named = await dialled("Hello {{First_Name}}, {{company|your firm}} called.");
    expect(attribute(named, "welcomeGreeting")).toBe("Hello Grace & Co, your firm called.");
    const timed = await dialled("Hello {{first name}}, it is {{ time }}.");
    expect(attribute(timed, "welcomeGreeting")).toBe("");
  });

  it("a Twilio call is not opened by a handshake that Twilio did not sign", async () => {
    const call = await placed();
    const url = attribute(call.twiml, "url");
    const other = await placed();
    const forged: Record<string, string>[] = [
      {},
      { "x-twilio-signature": "" },
      { "x-twilio-signature": signature(url, {}, "another token") },
      { "x-twilio-signature": signature(attribute(other.twiml, "url")) },
    ];
    for (const headers of forged) expect(await refused(url, headers)).toBe(403);
    // A signature by one account's credentials is invalid for another account's call.
    const foreign = url.replace(`/${call.name}/`, `/${other.name}/`);
    expect(await refused(foreign, { "x-twilio-signature": signature(foreign) })).toBe(403);
    const unknown = url.replace(/[0-9a-f-]{36}$/, crypto.randomUUID());
    expect(await refused(unknown, { "x-twilio-signature": signature(url) })).toBe(403);
    expect(await refused(url.replace("/twilio/", "/telnyx/"), {})).toBe(404);
    expect(await refused(url, { "x-twilio-signature": signature(url) })).toBe(101);
  });

  it("a Twilio call is not opened by its token alone or by another call's token", async () => {
    const call = await placed();
    const line = await connected(call.twiml);
    prompt(line, "When are you open?");
    expect(await spoken(line)).toContain("nine to five");
    const token = parameter(call.twiml, "session_token") ?? "";
    const thief = await Line.open(`${service.origin.replace(/^http/, "ws")}/runtime`, { session_token: token });
    expect([await spoken(thief), thief.closedWith]).toEqual(["closed", 4401]);

    const other = await placed();
    const url = attribute(other.twiml, "url");
    const headers = { "x-twilio-signature": signature(url) };
    const swapped = await Line.open(url, { session_token: token }, headers);
    expect([await spoken(swapped), swapped.closedWith]).toEqual(["closed", 4401]);
    prompt(line, "When are you open?");
    expect(await spoken(line)).toContain("nine to five");
    // The carrier itself may open another socket. The newest one is used.
    const newest = await connected(call.twiml);
    expect([await spoken(line), line.closedWith]).toEqual(["closed", 4409]);
    expect(await spoken(newest)).toContain(RESUMED);
    talkOver(newest, "When are you open?");
    expect(await spoken(newest)).toContain("nine to five");
  });
});

describe("an inbound Telnyx call with the built-in runtime", () => {
  const payload = { call_control_id: "v3:1", direction: "incoming", from: CALLEE, to: NUMBER };
  async function report(url: string, event_type: string, fields: object = {}): Promise<void> {
    const data = { event_type, id: crypto.randomUUID(), payload: { ...payload, ...fields } };
    const body = JSON.stringify({ data, meta: { attempt: 1 } });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), edwards.privateKey).toString("base64");
    const headers = { "telnyx-timestamp": timestamp, "telnyx-signature-ed25519": signature };
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
    expect(answer.ok).toBe(true);
  }

  /** Creates a call that was picked up, and its line. */
  async function pickedUp() {
    const who = await account("telnyx", { api_key: "KEY", connection_id: "77", public_key: PUBLIC_KEY });
    await who.server("PATCH", `/api/v1/agents/${who.agent_id}`, {
      transfer_targets: [{ label: "A person", number: PERSON }],
    });
    carrier.play(() => ({ body: { data: { result: "ok" } } }));
    await report(`${service.origin}/api/telephony/inbound/telnyx/${who.name}`, "call.initiated");
    const [answered] = carrier.requests;
    expect(answered?.path).toBe("/v2/calls/v3%3A1/actions/answer");
    const { webhook_url, client_state, conversation_relay_config: config } = JSON.parse(answered?.body ?? "{}");
    expect(config.greeting).toBe("Hello there, this is Ada.");
    const line = await Line.open(config.url, config.custom_parameters);
    const { call_id } = JSON.parse(Buffer.from(client_state, "base64").toString()) as { call_id: string };
    carrier.requests.length = 0;
    return { who, line, webhook_url, client_state, call_id };
  }
  const PERSON = "+12025550177";
  const commands = () => carrier.requests.map(({ path }) => path.replace("/v2/calls/v3%3A1/actions/", ""));

  it("an inbound Telnyx call is picked up, talked to and hung up", async () => {
    const { who, line, webhook_url, client_state, call_id } = await pickedUp();
    line.send({ type: "dtmf", digit: "5" });
    prompt(line, "When are you open?");
    expect(await spoken(line)).toContain("nine to five");
    talkOver(line, "Thank you, goodbye!");
    expect(await spoken(line)).toContain("oodbye");
    expect(await spoken(line)).toBe("end");
    await report(webhook_url, "call.conversation.ended", { client_state, reason: "relay_ended" });
    expect(commands()).toEqual(["hangup"]);
    await report(webhook_url, "call.hangup", { client_state, hangup_cause: "normal_clearing" });
    expect(await conversation(who, call_id)).toMatchObject({ status: "ended", end_reason: "agent_ended" });
  });

  it("a Telnyx call handed over to a person continues when our end of the line closes", async () => {
    const { who, line, webhook_url, client_state, call_id } = await pickedUp();
    talkOver(line, "I want to talk to a person, please.");
    expect(await spoken(line)).not.toBe("closed");
    await expect.poll(commands).toEqual(["transfer"]);
    for (const reason of ["customer_disconnect", "relay_ended"])
      await report(webhook_url, "call.conversation.ended", { client_state, reason });
    expect(commands()).toEqual(["transfer"]);
    await expect.poll(async () => (await conversation(who, call_id)).status).toBe("ended");
    expect(await conversation(who, call_id)).toMatchObject({ end_reason: "transferred", transferred_to: PERSON });
  });
});
