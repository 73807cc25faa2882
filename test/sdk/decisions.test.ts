import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import {
  follow,
  List,
  type ServerEvent,
  SwitchboardError,
  verifyWebhook,
  WebhookVerificationError,
} from "../../packages/sdk/src/index.ts";
import { type FailedRequest, LONGEST_WAIT_MS, retryWaitMs } from "../../packages/sdk/src/retry.ts";

const failed: fc.Arbitrary<FailedRequest> = fc.record({
  method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
  hasKey: fc.boolean(),
  isConditional: fc.boolean(),
  status: fc.constantFrom(0, 400, 404, 408, 409, 412, 429, 500, 502, 503, 504),
  code: fc.constantFrom("internal_error", "idempotency_conflict", "idempotency_in_progress"),
  retryAfterS: fc.option(fc.integer({ min: 0, max: 90_000 }), { nil: undefined }),
});

describe("a retry", () => {
  it("does not repeat a POST without a key, a conditional write or a refusal", () => {
    fc.assert(
      fc.property(failed, fc.nat(5), fc.double({ min: 0, max: 1, noNaN: true }), (request, repeated, random) => {
        const waitMs = retryWaitMs(request, repeated, random);
        const isUntouched = request.status === 429 || request.code === "idempotency_in_progress";
        if (waitMs === undefined || isUntouched) return;
        expect([0, 408, 500, 502, 503, 504]).toContain(request.status);
        if (request.method === "POST") expect(request.hasKey).toBe(true);
        else expect(request.isConditional).toBe(false);
      }),
    );
  });

  it("waits as long as the service asks, up to a limit", () => {
    fc.assert(
      fc.property(failed, fc.nat(40), fc.double({ min: 0, max: 1, noNaN: true }), (request, repeated, random) => {
        const waitMs = retryWaitMs(request, repeated, random);
        if (waitMs === undefined) return;
        expect(waitMs).toBeLessThanOrEqual(LONGEST_WAIT_MS);
        if (request.retryAfterS !== undefined) expect(waitMs).toBe(request.retryAfterS * 1000);
      }),
    );
  });
});

describe("a list", () => {
  const items = fc.array(fc.integer(), { maxLength: 40 });

  it("returns every item once by offset, whatever the pages' sizes", () =>
    fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 7 }), async (all, size) => {
        const list = new List(
          async ({ offset = 0 }) => {
            const at = Number(offset);
            return { rows: all.slice(at, at + size), total: all.length, limit: size, offset: at };
          },
          (page) => page.rows,
        );
        expect(await list.toArray()).toEqual(all);
      }),
    ));

  it("returns every item once by cursor, past empty pages", () =>
    fc.assert(
      fc.asyncProperty(fc.array(items, { minLength: 1, maxLength: 8 }), async (pages) => {
        const list = new List(
          async ({ after = "0" }) => {
            const at = Number(after);
            return { rows: pages[at] ?? [], next: at + 1 < pages.length ? String(at + 1) : null };
          },
          (page) => page.rows,
        );
        expect(await list.toArray()).toEqual(pages.flat());
      }),
    ));

  it("ends if a cursor repeats", async () => {
    const list = new List(
      async () => ({ rows: [1], next: "same" }),
      (page) => page.rows,
    );
    expect(await list.toArray()).toEqual([1, 1]);
  });
});

describe("a stream", () => {
  const NOTHING = { pause: () => Promise.resolve(), random: () => 0 };
  const body = (ids: number[]) => ids.map((id) => `id: ${id}\nevent: call.ended\ndata: {"n":${id}}\n\n`).join("");

  it("returns every event once, wherever its connection breaks", () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.infiniteStream(fc.nat(90)), async (count, cuts) => {
        const all = Array.from({ length: count }, (_, at) => at + 1);
        const connect = async (lastEventId: string) => {
          const rest = all.filter((id) => id > Number(lastEventId));
          if (rest.length === 0) return new Response(null, { status: 204 });
          const bytes = new TextEncoder().encode(body(rest));
          // At least one whole event at a time, so that the test ends.
          const least = new TextEncoder().encode(body(rest.slice(0, 1))).length;
          return new Response(bytes.slice(0, least + Number(cuts.next().value)));
        };
        const seen: string[] = [];
        for await (const { id } of follow({ connect, ...NOTHING })) seen.push(id);
        expect(seen).toEqual(all.map(String));
      }),
    ));

  it("reconnects after a temporary error, and throws a permanent one", async () => {
    const error = (status: number) => new SwitchboardError({ status, code: "x", message: "x" });
    const answers: (Error | string)[] = [error(503), body([1]), error(0), error(404)];
    const connect = async () => {
      const answer = answers.shift() ?? "";
      if (typeof answer !== "string") throw answer;
      return new Response(answer);
    };
    const seen: ServerEvent[] = [];
    const reading = (async () => {
      for await (const event of follow({ connect, ...NOTHING })) seen.push(event);
    })();
    await expect(reading).rejects.toMatchObject({ status: 404 });
    expect(seen).toEqual([{ id: "1", name: "call.ended", data: '{"n":1}' }]);
  });
});

describe("verifyWebhook", () => {
  const secret = `whsec_${btoa("a secret of exactly 32 bytes ok!")}`;
  const other = `whsec_${btoa("another one, of 32 bytes, is ok!")}`;
  const now = new Date("2026-11-23T12:00:00Z");
  const text = '{"type":"call.ended","data":{"é":1}}';
  const signed = (by: string, at = now, body = text) => ({
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(by).sign("evt_1", at, body),
  });
  const nowS = now.getTime() / 1000;

  it("accepts signatures of the standard's own library", () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const body = JSON.stringify(value);
        const event = await verifyWebhook(body, new Headers(signed(secret, now, body)), secret, nowS);
        expect(event).toEqual(JSON.parse(body));
      }),
    ));

  it("accepts one valid signature of several, one valid secret of several, and bytes", async () => {
    const headers = signed(secret);
    headers["webhook-signature"] = `v1a,xyz v1,%%% v1,${btoa("wrong")} ${headers["webhook-signature"]}`;
    const body = new TextEncoder().encode(text);
    expect(await verifyWebhook(body, headers, [other, secret], nowS)).toEqual(JSON.parse(text));
  });

  it("refuses another body, another secret, another id, and a timestamp that is 301 s off", async () => {
    const refused = (...args: Parameters<typeof verifyWebhook>) =>
      expect(verifyWebhook(...args)).rejects.toBeInstanceOf(WebhookVerificationError);
    await refused(`${text} `, signed(secret), secret, nowS);
    await refused(text, signed(other), secret, nowS);
    await refused(text, Object.assign(signed(secret), { "webhook-id": "evt_2" }), secret, nowS);
    await refused(text, signed(secret), secret, nowS + 301);
    await refused(text, signed(secret), secret, nowS - 301);
    await refused(text, {}, secret, nowS);
    await verifyWebhook(text, signed(secret), secret, nowS + 300);
  });
});
