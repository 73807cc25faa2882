import { describe, expect, it } from "vitest";
import { type Carrier, CarrierRefusal } from "../../../src/phone/carriers/carrier.ts";
import { cleanText } from "../../../src/phone/carriers/http.ts";
import { placedThen, xml } from "../../../src/phone/carriers/media.ts";
import { NOW, order, type Subject } from "./subject.ts";
import { subjects } from "./subjects.ts";

interface Sent {
  method: string;
  url: string;
  body: string;
}
/** Creates a carrier whose network is a function. */
function wired(
  name: string,
  answer: (sent: Sent) => Response,
  overrides: Record<string, string> = {},
): { carrier: Carrier; sent: Sent[] } {
  const { kind, credentials, variable } = subjects.find((subject) => subject.name === name) as Subject;
  const sent: Sent[] = [];
  const wire = async (url: string, init: RequestInit) => {
    sent.push({ method: init.method ?? "GET", url, body: String(init.body ?? "") });
    return answer(sent.at(-1) as Sent);
  };
  const env = { [variable]: `https://api.${name}.example`, ...overrides } as never;
  return {
    carrier: kind.connect(credentials as never, { account: "acme", env, fetch: wire as never, now: () => NOW }),
    sent,
  };
}
const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status });
const ref = { ...order, provider_call_id: "CA1", placed_at: NOW, connected: false };

describe("the connection to a single carrier", () => {
  it("cancels a Twilio call that is not answered yet", async () => {
    const { carrier, sent } = wired("twilio", ({ body }) =>
      json({ sid: "CA1", status: body.includes("canceled") ? "canceled" : "ringing" }),
    );
    await carrier.hangup(ref);
    expect(sent.map(({ body }) => body)).toEqual(["Status=completed", "Status=canceled"]);
  });
  it("finds SignalWire at the customer's space", async () => {
    const { carrier, sent } = wired("signalwire", () => json({ sid: "CA1", status: "queued" }), {
      SIGNALWIRE_API_URL: "",
    });
    await carrier.originate(order);
    expect(sent[0]?.url).toBe("https://example.signalwire.com/api/laml/2010-04-01/Accounts/P-1/Calls");
  });
  it.each(["evil.example/", "a.b.signalwire.com", "x@evil", "a/b", "-", ""])(
    "SignalWire credentials do not accept %j as a space",
    (space) => {
      const { kind, credentials } = subjects.find(({ name }) => name === "signalwire") as Subject;
      expect(kind.credentials.safeParse({ ...credentials, space }).success).toBe(false);
    },
  );
  it("ends a queued Plivo call by its request id", async () => {
    const { carrier, sent } = wired(
      "plivo",
      ({ url }) => new Response(null, { status: url.includes("/Request/") ? 204 : 404 }),
    );
    await carrier.hangup({ ...ref, provider_call_id: "p-1" });
    expect(sent.map(({ method, url }) => [method, new URL(url).pathname])).toEqual([
      ["DELETE", "/v1/Account/MA123/Call/p-1/"],
      ["DELETE", "/v1/Account/MA123/Request/p-1/"],
    ]);
  });
  it("never deletes all of Plivo's calls if an id is missing", async () => {
    const { carrier, sent } = wired("plivo", () => json({ calls: [], objects: [] }));
    await expect(carrier.hangup({ ...ref, provider_call_id: "" })).rejects.toThrow();
    expect(sent.filter(({ method }) => method === "DELETE")).toEqual([]);
  });
  it("answers Plivo with a document only when the call was answered", async () => {
    const { carrier } = wired("plivo", () => json({}));
    const subject = subjects.find(({ name }) => name === "plivo") as Subject;
    const answered = subject.webhook({ CallUUID: "p-1", CallStatus: "in-progress", Event: "StartApp" });
    const requests: number[] = [];
    const session = async () => {
      requests.push(1);
      return order;
    };
    const document = await carrier.answer?.(answered, session);
    expect(document?.content_type).toBe("application/xml");
    subject.inbound.connected(document?.body ?? "");
    expect(document?.body).toContain("<Record ");
    expect(
      await carrier.answer?.(subject.webhook({ CallUUID: "p-1", CallStatus: "ringing", Event: "Ring" }), session),
    ).toBeNull();
    expect(requests).toHaveLength(1);
  });
  it("refuses a session token that does not fit into Vonage's headers", async () => {
    const { carrier, sent } = wired("vonage", () => json({ uuid: "u" }, 201));
    await expect(carrier.originate({ ...order, session_token: "x".repeat(500) })).rejects.toThrow(CarrierRefusal);
    expect(sent).toEqual([]);
  });
  it("names an unusable Vonage key before any request", async () => {
    const { kind, credentials } = subjects.find(({ name }) => name === "vonage") as Subject;
    const bad = { ...credentials, private_key: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----" };
    const carrier = kind.connect(kind.credentials.parse(bad) as never, {
      account: "acme",
      env: {} as never,
      fetch,
      now: () => NOW,
    });
    await expect(carrier.originate(order)).rejects.toMatchObject({ reason: "auth" });
    expect((await carrier.verifyCredentials()).detail).not.toContain("AAAA");
  });
  it("picks up a Telnyx call with all settings that the media runtime needs", async () => {
    const { carrier, sent } = wired("telnyx", () => json({ data: { result: "ok" } }));
    await carrier.inbound?.connect({ provider_call_id: "v3:2", from_number: "", to_number: "" }, order);
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual(["/v2/calls/v3%3A2/actions/answer"]);
    const { client_state, ...answer } = JSON.parse(sent[0]?.body ?? "");
    expect(answer).toMatchObject({
      stream_url: order.runtime_url,
      webhook_url: order.webhook_url,
      stream_bidirectional_mode: "rtp",
    });
    expect(JSON.parse(atob(client_state))).toEqual({ call_id: order.call_id, session_token: order.session_token });
  });
  it("does not count a Telnyx call that could not be picked up as connected", async () => {
    const { carrier } = wired("telnyx", () => json({ errors: [{ code: "90018" }] }, 422));
    await expect(
      carrier.inbound?.connect({ provider_call_id: "v3:2", from_number: "", to_number: "" }, order),
    ).rejects.toThrow();
  });
  it("distinguishes a suspended Twilio account from one that works", async () => {
    const { carrier } = wired("twilio", () => json({ status: "suspended", auth_token: "t-secret" }));
    const verdict = await carrier.verifyCredentials();
    expect(verdict.ok).toBe(false);
    expect(JSON.stringify(verdict)).not.toContain("t-secret");
  });
});

describe("the parts that all carriers share", () => {
  it("escape XML and drop characters that it cannot contain", () => {
    expect(xml(`<a b="c">&'\u0000\ud800x</a>`)).toBe("&#60;a b=&#34;c&#34;&#62;&#38;&#39;x&#60;/a&#62;");
  });
  it("keep numbers and credentials out of messages", () => {
    expect(cleanText("21211 to +1 (202) 555-0199 by SK0123456789abcdef0123456789, pw", ["pw"])).toBe(
      "21211 to *** by ***, ***",
    );
  });
  it("identify a call by its time only if a single call is near it", () => {
    const at = (seconds: number) => ({ at: new Date(NOW + seconds * 1000).toISOString() });
    const pick = (...all: { at: string }[]) => placedThen(all, (one) => one.at, NOW);
    expect(pick(at(-3_600), at(2))).toEqual(at(2));
    expect(pick(at(1), at(2))).toBeUndefined();
    expect(pick(at(600))).toBeUndefined();
    expect(pick({ at: "" })).toBeUndefined();
  });
});
