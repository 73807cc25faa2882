import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type CallRef, CarrierRefusal, CarrierUncertain } from "../../../src/phone/carriers/carrier.ts";
import { caught, connectTo, expectAuthorized, expectClean, hang, ref } from "./conforming.ts";
import { type StandIn, standIn } from "./stand-in.ts";
import { INSTRUCTIONS_URL, MESSAGE, MESSAGE_URL, order, plain, type Subject, TARGET } from "./subject.ts";
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
      expectAuthorized(server, subject);
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
      expectClean(subject, error?.message ?? "");
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
      for (const play of [
        () => server.play(() => "close"),
        () => server.play(() => ({ status: 503 })),
        () => hang(server),
      ]) {
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
      // Shorter words also occur in random tokens.
      expect(JSON.stringify(orders)).not.toMatch(/machine|asyncamd/i);
    });
    it("a message is left with the requests that the carrier expects", async () => {
      server.play(() => message.reply);
      await leave();
      expect(server.requests.map(({ method, path }) => [method, path])).toEqual(message.expects);
      expectAuthorized(server, subject);
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
      expectClean(subject, error?.message ?? "");
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
});
