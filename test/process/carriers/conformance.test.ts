import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { CarrierRefusal, CarrierUncertain } from "../../../src/phone/carriers/carrier.ts";
import { caught, connectTo, expectAuthorized, expectClean, hang, ref } from "./conforming.ts";
import { type StandIn, standIn } from "./stand-in.ts";
import { NOW, order, type Subject } from "./subject.ts";
import { subjects } from "./subjects.ts";

let server: StandIn;
beforeAll(async () => {
  server = await standIn();
});
afterAll(() => server.stop());
afterEach(() => {
  vi.restoreAllMocks();
});

const connect = (subject: Subject, options = {}) => connectTo(server, subject, options);

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
      expectAuthorized(server, subject);
      for (const request of server.requests) body(request);
    });

    it.each(subject.refusals)("maps %s", async (_, status, answer, reason) => {
      server.play(() => ({ status, body: answer }));
      const error = await caught(connect(subject).originate(order));
      expect(error).toBeInstanceOf(CarrierRefusal);
      expect((error as CarrierRefusal).reason).toBe(reason);
      expect(server.requests).toHaveLength(1);
      expectClean(subject, (error as Error).message);
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
      expectClean(subject, (await caught(connect(subject).originate(order)))?.message ?? "");
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
      expectClean(subject, error?.message ?? "");
    });

    it("placing a call is uncertain if the carrier does not answer", async () => {
      hang(server);
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
      expectAuthorized(server, subject);
      expect(server.requests.every(({ method }) => method === "GET")).toBe(true);
    });
    it("finds the call whose placing went unanswered", async () => {
      server.play(subject.search.found);
      const found = await connect(subject).lookup({ ...ref, provider_call_id: null });
      expect(found).toMatchObject({ provider_call_id: subject.search.id, status: "ringing" });
      expectAuthorized(server, subject);
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
      hang(server);
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
      expectAuthorized(server, subject);
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

  describe("verifyCredentials", () => {
    const { path, body } = subject.verify;
    it("accepts valid credentials", async () => {
      server.play(() => ({ body }));
      const verdict = await connect(subject).verifyCredentials();
      expect(verdict.ok).toBe(true);
      expect(server.requests.map((request) => [request.method, request.path])).toEqual([["GET", path]]);
      expectAuthorized(server, subject);
      expectClean(subject, verdict.detail);
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
