import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  type CallRef,
  type Carrier,
  CarrierRefusal,
  CarrierUncertain,
  ForgedWebhook,
  type Webhook,
} from "../../../src/phone/carriers/carrier.ts";
import { type StandIn, standIn } from "./stand-in.ts";
import { CALL, INSTRUCTIONS_URL, MESSAGE, MESSAGE_URL, NOW, order, plain, type Subject, TARGET } from "./subject.ts";
import { subjects } from "./subjects.ts";

let server: StandIn;
beforeAll(async () => {
  server = await standIn();
});
afterAll(() => server.stop());
afterEach(() => {
  vi.restoreAllMocks();
});

/** Makes the carrier never answer a request, which times out as soon as it has arrived. */
function hang(): void {
  const time = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(time.signal);
  server.play(() => {
    time.abort(new DOMException("The operation timed out.", "TimeoutError"));
    return "hang";
  });
}

const ref = { ...order, placed_at: NOW, connected: false };

function connect({ kind, credentials, variable }: Subject, { now = () => NOW, timeout_ms = 60_000 } = {}): Carrier {
  const env = { [variable]: server.url } as never;
  return kind.connect(kind.credentials.parse(credentials) as never, { account: "acme", env, fetch, now, timeout_ms });
}

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as Error,
  );
function authorized({ authorization }: Subject): void {
  for (const { headers } of server.requests) authorization(headers.authorization ?? "");
}
/** Checks that a message contains no secret and no number, whatever a carrier wrote. */
const clean = (subject: Subject, message: string) => {
  for (const [field, value] of Object.entries(subject.credentials))
    if (/token|secret|key/.test(field) && field !== "public_key") expect(message).not.toContain(value);
  expect(message).not.toMatch(/\d{7}/);
  expect(message.length).toBeLessThan(300);
};

describe.each(subjects)("$name", (subject) => {
  describe("credentials", () => {
    it.each(Object.keys(subject.credentials))(
      "an error names the credential %s if it is missing, empty or nested",
      (field) => {
        const { [field]: _, ...rest } = subject.credentials;
        for (const bad of [rest, { ...rest, [field]: "" }, { ...rest, [field]: { deep: { er: 1 } } }]) {
          const parsed = subject.kind.credentials.safeParse(bad);
          expect(parsed.error?.issues.map(({ path }) => path.join("."))).toContain(field);
        }
      },
    );
    it("refuses unknown fields", () => {
      expect(subject.kind.credentials.safeParse({ ...subject.credentials, extra: "1" }).success).toBe(false);
    });
  });

  describe("originate", () => {
    const { path, body, reply, id } = subject.originate;

    it("sends the request that the carrier expects, and returns its id", async () => {
      server.play(() => reply);
      expect((await connect(subject).originate(order)).provider_call_id).toBe(id);
      expect(server.requests.map((request) => [request.method, request.path])).toEqual([["POST", path]]);
      authorized(subject);
      for (const request of server.requests) body(request);
    });

    it.each(subject.refusals)("maps %s", async (_, status, answer, reason) => {
      server.play(() => ({ status, body: answer }));
      const error = await caught(connect(subject).originate(order));
      expect(error).toBeInstanceOf(CarrierRefusal);
      expect((error as CarrierRefusal).reason).toBe(reason);
      expect(server.requests).toHaveLength(1);
      clean(subject, (error as Error).message);
    });

    it("passes on nothing secret from a carrier's response", async () => {
      const carrierText = `bad ${Object.values(subject.credentials).join(" ")} to +1 (202) 555-0199\r\nx ${"y".repeat(3_000)}`;
      const shapes = {
        code: 1,
        message: carrierText,
        title: carrierText,
        detail: carrierText,
        error: carrierText,
        errors: [{ code: "1", detail: carrierText }],
      };
      server.play(() => ({ status: 400, body: shapes }));
      clean(subject, (await caught(connect(subject).originate(order)))?.message ?? "");
    });

    it.each(["<html>no</html>", "null", "[]", '"x"', ""])(
      "originate refuses by the status alone if the response contains %j",
      async (text) => {
        server.play(() => ({ status: 401, body: text }));
        expect(await caught(connect(subject).originate(order))).toMatchObject({ reason: "auth" });
        server.play(() => ({ status: 404, body: text }));
        expect(await caught(connect(subject).originate(order))).toMatchObject({ reason: "rejected" });
      },
    );

    const unclear: [string, Parameters<StandIn["play"]>[0]][] = [
      ...[500, 502, 503, 504, 408, 301].map((status): [string, Parameters<StandIn["play"]>[0]] => [
        `${status}`,
        () => ({ status, body: "oops" }),
      ]),
      ["garbage", () => ({ body: "<html>ok</html>" })],
      ["JSON that is not a call", () => ({ body: { hello: 1 } })],
      [
        "an answer without end",
        () => ({ ...reply, body: { ...(reply.body as object), padding: "x".repeat(600_000) } }),
      ],
      ["a closed connection", () => "close"],
      ["half an answer", () => "half"],
    ];
    it.each(unclear)("placing a call is uncertain after %s, with one request", async (_, script) => {
      server.play(script);
      const error = await caught(connect(subject).originate(order));
      expect(error).toBeInstanceOf(CarrierUncertain);
      expect(server.requests).toHaveLength(1);
      clean(subject, error?.message ?? "");
    });

    it("placing a call is uncertain if the carrier does not answer", async () => {
      hang();
      expect(await caught(connect(subject).originate(order))).toBeInstanceOf(CarrierUncertain);
      expect(server.requests).toHaveLength(1);
    });

    it("does not follow a redirect", async () => {
      server.play((request) => (request.path === "/trap" ? reply : { status: 307, headers: { location: "/trap" } }));
      expect(await caught(connect(subject).originate(order))).toBeInstanceOf(CarrierUncertain);
      expect(server.requests.map((request) => request.path)).not.toContain("/trap");
    });

    it("refuses without a request if there is no media runtime", async () => {
      server.play(() => reply);
      expect(await caught(connect(subject).originate({ ...order, runtime_url: "" }))).toBeInstanceOf(CarrierRefusal);
      expect(server.requests).toHaveLength(0);
    });

    it("stays within the carrier's limits", async () => {
      server.play(() => reply);
      await connect(subject).originate({ ...order, ring_timeout: 1e9, max_duration: 1e9 });
      const text = decodeURIComponent(server.requests[0]?.body ?? "");
      expect(text).not.toContain("1000000000");
    });
  });

  describe("lookup", () => {
    const byId = { ...ref, provider_call_id: subject.originate.id };
    it.each(subject.lookups)("looking up a call that is %s reports that state", async (_, replies, status) => {
      server.play(replies);
      expect((await connect(subject).lookup(byId))?.status ?? null).toBe(status);
      authorized(subject);
      expect(server.requests.every(({ method }) => method === "GET")).toBe(true);
    });
    it("finds the call whose placing went unanswered", async () => {
      server.play(subject.search.found);
      const found = await connect(subject).lookup({ ...ref, provider_call_id: null });
      expect(found).toMatchObject({ provider_call_id: subject.search.id, status: "ringing" });
      authorized(subject);
    });
    it("returns null for a call that is not listed", async () => {
      server.play(subject.search.none);
      expect(await connect(subject).lookup({ ...ref, provider_call_id: null })).toBeNull();
    });
    it("does not confuse the call with another one", async () => {
      server.play(subject.search.found);
      const other = { ...ref, provider_call_id: null, call_id: "other", placed_at: NOW + 3_600_000 };
      expect(await connect(subject).lookup(other)).toBeNull();
    });
    it.each([500, 503])("lookup reports an outage at %s", async (status) => {
      server.play(() => ({ status }));
      expect(await caught(connect(subject).lookup(byId))).toMatchObject({ reason: "outage" });
    });
    it("reports an outage when the carrier hangs or closes", async () => {
      server.play(() => "close");
      expect(await caught(connect(subject).lookup(byId))).toMatchObject({ reason: "outage" });
      hang();
      expect(await caught(connect(subject).lookup(byId))).toMatchObject({ reason: "outage" });
    });
  });

  describe("hangup", () => {
    const { expects, reply, over } = subject.hangup;
    const call = { ...ref, provider_call_id: subject.originate.id };
    it("ends the call", async () => {
      server.play(reply);
      await connect(subject).hangup(call);
      expect(server.requests.map((request) => [request.method, request.path])).toEqual(expects);
      authorized(subject);
    });
    it("treats a call that is over as ended", async () => {
      server.play(() => over);
      await expect(connect(subject).hangup(call)).resolves.toBeUndefined();
      server.play(() => ({ status: 404 }));
      await expect(connect(subject).hangup(call)).resolves.toBeUndefined();
    });
    it("a hang-up is uncertain if its result cannot be determined", async () => {
      server.play(() => ({ status: 503 }));
      expect(await caught(connect(subject).hangup(call))).toBeInstanceOf(CarrierUncertain);
      server.play(() => "close");
      expect(await caught(connect(subject).hangup(call))).toBeInstanceOf(CarrierUncertain);
      server.play(() => ({ status: 401 }));
      expect(await caught(connect(subject).hangup(call))).toMatchObject({ reason: "auth" });
    });
    it("reports a call that cannot be found as unknown", async () => {
      server.play(subject.search.none);
      expect(await caught(connect(subject).hangup({ ...ref, provider_call_id: null }))).toBeInstanceOf(
        CarrierUncertain,
      );
    });
  });

  describe("transfer", () => {
    const { transfer } = subject;
    const call = { ...ref, provider_call_id: subject.originate.id, connected: true };
    const target = { to_number: TARGET, caller_id: order.from_number };
    const handover = { ...target, webhook_url: order.webhook_url, instructionsUrl: async () => INSTRUCTIONS_URL };
    const handOver = (one: CallRef = call) => connect(subject).transfer(one, handover);
    it("gives the instructions of the transfer as the carrier's own library writes them", () => {
      const { content_type, body } = connect(subject).instructTransfer?.(target) ?? {};
      expect(body === undefined ? null : plain(body)).toBe(transfer.instructions && plain(transfer.instructions));
      expect(content_type).toBe(transfer.instructions === null ? undefined : "application/xml");
    });
    it("transfers a running call with the request that the carrier expects, under the account's number", async () => {
      server.play(() => transfer.reply);
      await handOver();
      expect(server.requests.map((request) => [request.method, request.path])).toEqual([transfer.expects]);
      authorized(subject);
      for (const request of server.requests) transfer.body(request);
    });
    it("finds the call whose placing went unanswered", async () => {
      server.play((request) => (request.method === "GET" ? subject.search.found(request) : transfer.reply));
      await handOver({ ...call, provider_call_id: null });
      expect(server.requests.map((request) => [request.method, request.path]).at(-1)).toEqual(transfer.expects);
    });
    it.each([
      ["is over", transfer.over],
      ["it does not know", { status: 404 }],
    ])("a transfer is refused for a call that %s", async (_, reply) => {
      server.play(() => reply);
      const error = await caught(handOver());
      expect(error).toBeInstanceOf(CarrierRefusal);
      expect(error).toMatchObject({ reason: "rejected" });
      clean(subject, error?.message ?? "");
    });
    it("a transfer is refused for a call that cannot be found", async () => {
      server.play(subject.search.none);
      expect(await caught(handOver({ ...call, provider_call_id: null }))).toBeInstanceOf(CarrierRefusal);
      expect(server.requests.every(({ method }) => method === "GET")).toBe(true);
    });
    it("a transfer is refused if the credentials are wrong", async () => {
      server.play(() => ({ status: 401 }));
      expect(await caught(handOver())).toMatchObject({ reason: "auth" });
    });
    it("a transfer without an answer is uncertain, with one request", async () => {
      for (const play of [() => server.play(() => "close"), () => server.play(() => ({ status: 503 })), hang]) {
        play();
        expect(await caught(handOver())).toBeInstanceOf(CarrierUncertain);
        expect(server.requests).toHaveLength(1);
      }
    });
  });

  describe("a message to a machine", () => {
    const { message } = subject;
    const call = { ...ref, provider_call_id: subject.originate.id, connected: true };
    const leftMessage = { text: MESSAGE, language: "en-US", relay: false, instructions_url: MESSAGE_URL };
    const leave = (one: CallRef = call, text = MESSAGE) =>
      connect(subject).leaveMessage?.(one, { ...leftMessage, text }) ?? Promise.reject(new TypeError("absent"));
    const last = message.expects.at(-1);
    const isLast = ({ method, path }: { method: string; path: string }) => method === last?.[0] && path === last[1];
    it("a message is announced with the call, so that the end of the greeting is reported", async () => {
      server.play(() => subject.originate.reply);
      await connect(subject).originate({ ...order, leaves_message: true });
      const orders = server.requests.filter(({ path }) => path === subject.originate.path);
      expect(orders).toHaveLength(1);
      for (const request of orders) message.ordered(request);
    });
    it("orders no machine detection if it is off", async () => {
      server.play(() => subject.originate.reply);
      await connect(subject).originate({ ...order, detects_machines: false });
      const orders = server.requests.filter(({ path }) => path === subject.originate.path);
      expect(orders).toHaveLength(1);
      expect(JSON.stringify(orders)).not.toMatch(/machine|amd/i);
    });
    it("a message is left with the requests that the carrier expects", async () => {
      server.play(() => message.reply);
      await leave();
      expect(server.requests.map(({ method, path }) => [method, path])).toEqual(message.expects);
      authorized(subject);
      message.body(server.requests);
    });
    it("the carrier fetches a message in the form that its own library writes", () => {
      const { content_type, body } = connect(subject).instructMessage?.({ text: MESSAGE, language: "en-US" }) ?? {};
      expect(body === undefined ? null : plain(body)).toBe(message.instructions && plain(message.instructions));
      expect(content_type).toBe(message.instructions === null ? undefined : "application/xml");
    });
    it("a message is cut to what the carrier accepts", async () => {
      server.play(() => message.reply);
      await leave(call, "𝕏&".repeat(3_000));
      const sent = server.requests.map(({ body }) => (body.startsWith("{") ? body : decodeURIComponent(body))).join();
      const [words = ""] = /(𝕏(&#38;|&)?)+/u.exec(sent.replaceAll("+", " ")) ?? [];
      expect(words.length).toBeLessThanOrEqual(message.most);
      expect(sent.isWellFormed()).toBe(true);
    });
    it("finds the call whose placing went unanswered", async () => {
      server.play((request) => (request.method === "GET" ? subject.search.found(request) : message.reply));
      await leave({ ...call, provider_call_id: null });
      expect(server.requests.map((request) => [request.method, request.path]).at(-1)).toEqual(last);
    });
    it.each([
      ["is over", message.over],
      ["it does not know", { status: 404 }],
    ])("a message is refused for a call that %s", async (_, reply) => {
      server.play(() => reply);
      const error = await caught(leave());
      expect(error).toBeInstanceOf(CarrierRefusal);
      clean(subject, error?.message ?? "");
    });
    it("a message is refused for an unknown call or with wrong credentials", async () => {
      server.play(subject.search.none);
      expect(await caught(leave({ ...call, provider_call_id: null }))).toBeInstanceOf(CarrierRefusal);
      expect(server.requests.every(({ method }) => method === "GET")).toBe(true);
      server.play(() => ({ status: 401 }));
      expect(await caught(leave())).toBeInstanceOf(CarrierRefusal);
    });
    it("a message without an answer is uncertain and ordered once", async () => {
      for (const played of ["half", "close", { status: 503 }] as const) {
        server.play((request) => (isLast(request) ? played : message.reply));
        expect(await caught(leave())).toBeInstanceOf(CarrierUncertain);
        expect(server.requests.filter(isLast)).toHaveLength(1);
      }
    });
  });

  describe("webhooks", () => {
    it.each(subject.events)("a webhook is read: %s", async (_, payload, event) => {
      const [read, ...more] = await connect(subject).parseWebhook(subject.webhook(payload));
      expect(more).toEqual([]);
      if (event === null) expect(read).toBeUndefined();
      else expect(read).toMatchObject(event);
    });

    const [, payload] = subject.events[0] ?? ["", {}];
    const forged: [string, (good: Webhook) => Webhook][] = [
      ["no headers", (good) => ({ ...good, headers: new Headers() })],
      ["an altered body", (good) => ({ ...good, body: `${good.body} ` })],
      ["an added field", (good) => ({ ...good, body: `${good.body}&CallStatus=completed` })],
      ["no body", (good) => ({ ...good, body: "" })],
      [
        "garbage headers",
        (good) => ({ ...good, headers: new Headers([...good.headers.keys()].map((name) => [name, "Bearer x.y.z"])) }),
      ],
    ];
    it.each(forged)("a webhook with %s is refused", async (_, alter) => {
      const error = await caught(connect(subject).parseWebhook(alter(subject.webhook(payload))));
      expect(error).toBeInstanceOf(ForgedWebhook);
    });

    it("refuses one signed with another account's secret", async () => {
      const kind = subject.kind;
      const credentials = Object.fromEntries(
        Object.entries(subject.credentials).map(([field, value]) => {
          if (field === "public_key") return [field, Buffer.alloc(32, 9).toString("base64")];
          return [field, /secret|token|signing/.test(field) ? `other-${value}` : value];
        }),
      );
      const other = kind.connect(kind.credentials.parse(credentials) as never, {
        account: "acme",
        env: {} as never,
        fetch,
        now: () => NOW,
      });
      expect(await caught(other.parseWebhook(subject.webhook(payload)))).toBeInstanceOf(ForgedWebhook);
    });

    // Vonage signs neither the address nor a state of the service, so the call's record must show it.
    if (subject.name !== "vonage") {
      it("refuses a report of one call at the address of another", async () => {
        const good = subject.webhook(payload);
        const elsewhere = { ...good, url: good.url.replace(CALL, "019a0000-0000-7000-8000-000000000002") };
        expect(await caught(connect(subject).parseWebhook(elsewhere))).toBeInstanceOf(ForgedWebhook);
      });
    }

    it("never throws anything but ForgedWebhook for bytes that are not signed", async () => {
      const carrier = connect(subject);
      const names = [...subject.webhook(payload).headers.keys()];
      const printable = fc.string({ unit: fc.constantFrom(..."abcXYZ019+/=.,|- ") });
      await fc.assert(
        fc.asyncProperty(
          fc.string({ unit: "binary" }),
          fc.array(printable, { maxLength: 3 }),
          fc.webUrl({ withQueryParameters: true }),
          async (body, values, url) => {
            const headers = new Headers(names.map((name, i) => [name, values[i] ?? "x"]));
            expect(await caught(carrier.parseWebhook({ method: "POST", url, headers, body }))).toBeInstanceOf(
              ForgedWebhook,
            );
          },
        ),
        { numRuns: 100 },
      );
    });

    it("ignores signed garbage", async () => {
      const carrier = connect(subject);
      const garbage = fc.oneof(
        fc.string({ unit: "binary" }),
        fc.json(),
        fc.constantFrom("null", "[]", "{}", "%", "&&==", "%zz=%", '{"data":null}', '{"data":{"payload":[]}}'),
      );
      await fc.assert(
        fc.asyncProperty(garbage, async (body) => {
          // A received body is decoded, so bytes that are not valid UTF-8 have been replaced.
          const text = new TextDecoder().decode(new TextEncoder().encode(body));
          expect(await carrier.parseWebhook(subject.webhook(text))).toEqual([]);
          expect(await carrier.inbound?.parse(subject.webhook(text))).toBeNull();
        }),
        { numRuns: 100 },
      );
    });

    it("reads the same from a report that comes twice", async () => {
      const carrier = connect(subject);
      const webhook = subject.webhook(payload);
      expect(await carrier.parseWebhook(webhook)).toEqual(await carrier.parseWebhook(webhook));
    });
  });

  describe("inbound calls", () => {
    const { payload, id, report, connected, rejected } = subject.inbound;
    const url = "https://switchboard.example/api/telephony/inbound/x/acme";
    const incoming = { provider_call_id: id, from_number: "+12025550111", to_number: "+12025550100" };

    it("an inbound call is announced under the carrier's signature", async () => {
      const { inbound } = connect(subject);
      expect(await inbound?.parse(subject.webhook(payload, { url }))).toEqual(incoming);
      expect(await inbound?.parse(subject.webhook(report, { url }))).toBeNull();
      const forged = { ...subject.webhook(payload, { url }), headers: new Headers() };
      expect(await caught(inbound?.parse(forged) ?? Promise.resolve())).toBeInstanceOf(ForgedWebhook);
    });
    it("name their call before the signature is checked, and so do their reports", () => {
      const { provider_call_id, to_number } = incoming;
      const claims = (webhook: Webhook) => subject.kind.claims?.({ ...webhook, headers: new Headers() });
      expect(claims(subject.webhook(payload, { url }))).toEqual({ provider_call_id, to_number });
      expect(claims(subject.webhook(report, { url }))).toMatchObject({ provider_call_id });
      for (const body of ["", "null", "[]", "<html>", '{"data": 1}', "%"])
        expect(claims(subject.webhook(body))).toEqual({ provider_call_id: null, to_number: null });
    });
    it("end with a report that the same carrier parses", async () => {
      const [event] = await connect(subject).parseWebhook(subject.webhook(report, { url }));
      expect(event).toMatchObject({ provider_call_id: id, status: "completed" });
    });
    it("an inbound call is connected to the media runtime", async () => {
      server.play(() => ({ body: { data: { result: "ok" } } }));
      connected((await connect(subject).inbound?.connect(incoming, order))?.body ?? "");
      for (const request of server.requests) expect(request.body).toContain(order.runtime_url);
      authorized(subject);
    });
    it("an inbound call is turned away politely", async () => {
      server.play(() => ({ body: { data: { result: "ok" } } }));
      rejected(
        (await connect(subject).inbound?.reject(incoming, { text: "Sorry & bye", language: "en-US" }))?.body ?? "",
      );
    });
    it("an inbound call is not connected without a media runtime", async () => {
      const error = await caught(
        connect(subject).inbound?.connect(incoming, { ...order, runtime_url: "" }) ?? Promise.resolve(),
      );
      expect(error).toBeInstanceOf(CarrierRefusal);
    });
  });

  describe("recordings", () => {
    const { payload, path, authorized: withCredentials, id, duration_ms } = subject.recording;
    const fetched = async (carrier: Carrier) => {
      const placed = JSON.parse(JSON.stringify(payload).replaceAll("PLACE", server.url));
      const [event] = await carrier.parseWebhook(subject.webhook(placed));
      expect(event?.recording).toMatchObject({ id, duration_ms });
      return carrier.fetchRecording(event?.recording ?? { id: "", url: "", duration_ms: null, content_type: "" });
    };
    it("recordings are fetched from the carrier's own address", async () => {
      server.play((request) =>
        request.path === path
          ? { body: "RIFF", headers: { "content-type": "audio/mpeg" } }
          : { body: { data: { download_urls: { mp3: `${server.url}/file.mp3` } } } },
      );
      expect(await (await fetched(connect(subject))).text()).toBe("RIFF");
      const file = server.requests.find((request) => request.path === path);
      if (withCredentials) subject.authorization(file?.headers.authorization ?? "");
      else expect(file?.headers.authorization).toBeUndefined();
    });
    it("raise an error if they cannot be fetched", async () => {
      server.play(() => "close");
      expect(await caught(fetched(connect(subject)))).toBeInstanceOf(Error);
      server.play(() => "hang");
      expect(await caught(fetched(connect(subject, { timeout_ms: 50 })))).toBeInstanceOf(Error);
    });
  });

  describe("verifyCredentials", () => {
    const { path, body } = subject.verify;
    it("accepts valid credentials", async () => {
      server.play(() => ({ body }));
      const verdict = await connect(subject).verifyCredentials();
      expect(verdict.ok).toBe(true);
      expect(server.requests.map((request) => [request.method, request.path])).toEqual([["GET", path]]);
      authorized(subject);
      clean(subject, verdict.detail);
    });
    it.each([401, 403, 429, 500])("verifyCredentials rejects the credentials at %s", async (status) => {
      server.play(() => ({ status, body: { message: "x" } }));
      const verdict = await connect(subject).verifyCredentials();
      expect(verdict.ok).toBe(false);
      expect(verdict.detail).not.toBe("");
    });
    it("reports a carrier that does not answer", async () => {
      server.play(() => "close");
      expect((await connect(subject).verifyCredentials()).ok).toBe(false);
    });
  });
});
