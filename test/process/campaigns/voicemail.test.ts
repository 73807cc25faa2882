import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ReceivedRequest } from "../carriers/stand-in.ts";
import { Account, type Campaign, type Contact } from "./account.ts";
import { numbers, WAIT } from "./crash-support.ts";
import { Service } from "./service.ts";
import { type CarrierCall, FOR_EVER, StandInCarrier } from "./stand-in-carrier.ts";

/**
 * The numbers whose message is left, during whose message the service is killed, and that turns out to belong to a
 * person.
 */
const [LEFT = "", KILLED = "", PERSON = ""] = numbers(3, 13_032_000_004);
const SETTINGS = {
  voicemail: "leave_message",
  voicemail_message: "Call {{to_number}} back.",
  retry_config: JSON.stringify({ max_attempts: 3, retry_interval_minutes: 0, retry_on: ["machine"] }),
};

let carrier: StandInCarrier;
let service: Service;
let account: Account;
let running: Campaign;
/** The texts that the carrier was told to speak, by number, and what it was told to detect. */
const spoken: [to: string, document: string][] = [];
const ordered: (string | null)[] = [];

beforeAll(async () => {
  carrier = await StandInCarrier.open();
  carrier.lasts = () => ({ ring: 20, talk: FOR_EVER });
  carrier.intercept = (request, to) => {
    const form = formOf(request);
    if (form.has("MachineDetection")) ordered.push(form.get("MachineDetection"));
    const document = form.get("Twiml");
    if (document === null || form.has("MachineDetection")) return null;
    spoken.push([to, document]);
    if (to !== KILLED) return { body: { sid: callTo(to).sid, status: "in-progress" } };
    service.kill();
    return "close";
  };
  service = await Service.prepare({ TWILIO_API_URL: carrier.url });
  await service.start();
  account = await Account.open(service.url);
  await account.request("PATCH", `/api/v1/agents/${account.line.agent_id}`, {
    greeting_message: "Hello, how are you?",
    voicemail_message: "Call us back.",
  });
  running = await account.upload([LEFT, KILLED, PERSON], SETTINGS);
  await account.operate("start", running);
  await vi.waitFor(async () => expect((await account.campaign(running)).counts.connected).toBe(3), WAIT);
}, 300_000);

afterAll(async () => {
  await service?.remove();
  await carrier?.close();
}, 60_000);

const formOf = ({ method, body }: ReceivedRequest) => new URLSearchParams(method === "POST" ? body : "");

function callTo(number: string): CarrierCall {
  const call = carrier.ledger.find(({ to }) => to === number);
  if (!call) throw new Error(`${number} was not called`);
  return call;
}
/** Reports who answered, as the carrier does. */
const machineReport = ({ callback, sid, to }: CarrierCall, AnsweredBy: string) =>
  carrier.send(callback, { CallSid: sid, AnsweredBy, To: to });
/** Ends the call on the carrier's side. */
async function end(call: CarrierCall): Promise<void> {
  call.status = "completed";
  await carrier.send(call.callback, { CallSid: call.sid, CallStatus: "completed", To: call.to });
}
const contactAt = async (number: string) => {
  const all = (await account.contacts(running)) as (Contact & { failure_reason: string | null })[];
  return all.find(({ phone_number }) => phone_number === number);
};

describe("messages that a campaign leaves through Twilio", () => {
  it("a message is spoken once the greeting is over, and its contact ends with the call", async () => {
    expect(ordered).toEqual(["DetectMessageEnd", "DetectMessageEnd", "DetectMessageEnd"]);
    expect(await machineReport(callTo(LEFT), "machine_end_beep")).toBe(204);
    await machineReport(callTo(LEFT), "machine_end_beep");
    await vi.waitFor(() => expect(spoken).toHaveLength(1), WAIT);
    expect(spoken[0]?.[1]).toContain(`<Say>Call ${LEFT} back.</Say><Hangup/>`);
    expect(await contactAt(LEFT)).toMatchObject({ status: "connected" });
    await end(callTo(LEFT));
    const failed = { status: "failed", outcome: "machine", failure_reason: "message_left", attempt_count: 1 };
    await vi.waitFor(async () => expect(await contactAt(LEFT)).toMatchObject(failed), WAIT);
    await machineReport(callTo(PERSON), "human");
    await end(callTo(PERSON));
    await vi.waitFor(async () => expect(await contactAt(PERSON)).toMatchObject({ outcome: "answered" }), WAIT);
  });

  it("messages that a campaign leaves through Twilio are not spoken again after a kill while they were requested, and their contacts are not called again", async () => {
    spoken.length = 0;
    void machineReport(callTo(KILLED), "machine_end_silence");
    await vi.waitFor(() => expect(spoken).toHaveLength(1), WAIT);
    await service.gone();
    await service.start();
    expect(await machineReport(callTo(KILLED), "machine_end_silence")).toBe(204);
    expect(await contactAt(KILLED)).toMatchObject({ status: "connected" });
    await end(callTo(KILLED));
    const failed = { status: "failed", outcome: "machine", failure_reason: "message_in_doubt", attempt_count: 1 };
    await vi.waitFor(async () => expect(await contactAt(KILLED)).toMatchObject(failed), WAIT);
    await vi.waitFor(async () => expect((await account.campaign(running)).status).toBe("completed"), WAIT);
    expect(spoken).toHaveLength(1);
    expect([...carrier.timesDialled().values()]).toEqual([1, 1, 1]);
    await vi.waitFor(async () => expect((await account.limits()).concurrent_calls.used).toBe(0), WAIT);
  });
}, 300_000);
