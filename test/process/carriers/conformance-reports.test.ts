import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Carrier, CarrierRefusal, ForgedWebhook, type Webhook } from "../../../src/phone/carriers/carrier.ts";
import { caught, connectTo, expectAuthorized } from "./conforming.ts";
import { type StandIn, standIn } from "./stand-in.ts";
import { CALL, NOW, order, type Subject } from "./subject.ts";
import { subjects } from "./subjects.ts";

let server: StandIn;
beforeAll(async () => {
  server = await standIn();
});
afterAll(() => server.stop());

const connect = (subject: Subject, options = {}) => connectTo(server, subject, options);

describe.each(subjects)("$name", (subject) => {
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
      expectAuthorized(server, subject);
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
});
