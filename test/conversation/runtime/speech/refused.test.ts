import { exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { operator } from "../../../support/client.ts";
import { SHOP } from "../../../support/widget.ts";
import { advanceClock } from "../conversing.ts";
import { addressesIn, hear, listener, mp3, outcome, vendorAnswers, visits } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a ticket", () => {
  it("a ticket is refused the third time", async () => {
    const [address] = addressesIn((await listener()).frames);
    const requests = vendorAnswers();
    expect([await outcome(address), await outcome(address), await outcome(address)]).toEqual([
      "200",
      "200",
      "403 ticket_refused",
    ]);
    expect(requests).toHaveLength(2);
  });

  it("a ticket is refused 60 seconds after its words", async () => {
    const [first, second] = addressesIn((await listener()).frames);
    vendorAnswers();
    advanceClock(59_000);
    expect(await outcome(first)).toBe("200");
    advanceClock(2_000);
    expect(await outcome(second)).toBe("403 ticket_refused");
  });

  it("a changed ticket is refused", async () => {
    const [address = ""] = addressesIn((await listener()).frames);
    const requests = vendorAnswers();
    const [text = "", signature] = address.slice("/api/v1/widget/speech/".length).split(".");
    const forged = `${text.slice(0, -2)}${text.endsWith("A") ? "B" : "A"}${text.slice(-1)}`;
    for (const ticket of [`${forged}.${signature}`, `${text}.`, `${text}.AAAA`, text, "x".repeat(500), "%00"])
      expect(await outcome(`/api/v1/widget/speech/${ticket}`)).toBe("403 ticket_refused");
    expect(requests).toEqual([]);
  });

  it("a ticket of one conversation does not open a part of another", async () => {
    const one = await listener();
    const other = await visits(one.who);
    const requests = vendorAnswers();
    const parse = (address = "") => address.slice("/api/v1/widget/speech/".length).split(".");
    const [text] = parse(addressesIn(one.frames)[0]);
    const [, signature] = parse(addressesIn(other.frames)[0]);
    expect(await outcome(`/api/v1/widget/speech/${text}.${signature}`)).toBe("403 ticket_refused");
    expect(requests).toEqual([]);
  });

  it("a ticket is refused on a page of another origin", async () => {
    const [address] = addressesIn((await listener()).frames);
    const requests = vendorAnswers();
    const { status, headers } = await hear(address, { origin: "https://elsewhere.example" });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([403, null]);
    expect(requests).toEqual([]);
  });

  it("a ticket is refused after the account was closed", async () => {
    const { who, frames } = await listener();
    const requests = vendorAnswers();
    await (await operator()).patch(`/api/admin/v1/accounts/${who.account}`, { disabled: true });
    expect(await outcome(addressesIn(frames)[0])).toMatch(/^403 (ticket_refused|account_closed)$/);
    expect(requests).toEqual([]);
  });

  it("a ticket is refused once the visitor's widget key is disabled", async () => {
    const { who, frames, socket } = await listener();
    const requests = vendorAnswers();
    await who.user.patch(`/api/v1/widget-keys/${who.widgetKey.id}`, { disabled: true });
    await socket.closed;
    expect(await outcome(addressesIn(frames)[0])).toBe("403 ticket_refused");
    expect(requests).toEqual([]);
  });

  it("a ticket is refused after its conversation was deleted", async () => {
    const { who, frames, socket } = await listener();
    vendorAnswers();
    await who.user.delete(`/api/v1/conversations/${frames[0]?.conversation_id}`);
    await socket.closed;
    expect(await outcome(addressesIn(frames)[0])).toBe("403 ticket_refused");
  });

  it("a session's token does not work as a ticket", async () => {
    const { token } = await listener();
    expect(await outcome(`/api/v1/widget/speech/${token}`)).toBe("404 not_found");
  });

  it("a ticket is refused while two parts of its conversation are spoken", async () => {
    const [first, second] = addressesIn((await listener()).frames);
    const held = Promise.withResolvers<void>();
    vendorAnswers(async () => {
      await held.promise;
      return mp3();
    });
    const speaking = [outcome(first), outcome(second)];
    await vi.waitFor(async () => expect(await outcome(first)).toBe("429 speech_busy"));
    held.resolve();
    expect(await Promise.all(speaking)).toEqual(["200", "200"]);
    vendorAnswers();
    await vi.waitFor(async () => expect(await outcome(first)).toBe("200"));
  });
});

describe("a vendor of voices that fails", () => {
  const endless = () => {
    const chunk = new Uint8Array(1024 * 1024).fill(65);
    let sent = 0;
    return new ReadableStream({
      pull: (to) => (sent++ < 100 ? to.enqueue(chunk) : to.close()),
    });
  };
  const silent = () => new ReadableStream({ pull: () => new Promise(() => {}) });
  const broken = () => {
    let isFirst = true;
    return new ReadableStream({
      pull: (to) => {
        if (!isFirst) return to.error(new Error("gone"));
        isFirst = false;
        to.enqueue(new Uint8Array(1_000));
      },
    });
  };

  it.each([
    ["sends HTML", () => new Response("<h1>Sign in</h1>", { headers: { "content-type": "text/html" } })],
    ["refuses the key", () => new Response("no", { status: 401 })],
    ["fails", () => new Response("no", { status: 503 })],
    ["sends nothing", () => mp3("")],
    ["redirects", () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1/" } })],
    ["begins no audio within two seconds", () => mp3(silent())],
    ["cannot be reached", () => Promise.reject(new TypeError("unreachable"))],
  ])("a vendor that %s causes a 502 without a charge", async (_, answer) => {
    const { who, frames } = await listener();
    vendorAnswers(answer);
    const { status, code, headers } = await hear(addressesIn(frames)[0]);
    expect([status, code, headers.get("access-control-allow-origin")]).toEqual([502, "speech_failed", SHOP]);
    await vi.waitFor(async () => {
      const path = `/api/v1/conversations/${frames[0]?.conversation_id}`;
      expect((await who.server.get<{ usage: { speech_chars: number } }>(path)).body.usage.speech_chars).toBe(0);
    });
  });

  it.each([
    ["breaks off half of an mp3", broken],
    ["sends 100 MB", endless],
  ])("the audio of a vendor that %s never counts as complete", async (_, body) => {
    const [address] = addressesIn((await listener()).frames);
    vendorAnswers(() => mp3(body()));
    const { status, bytes } = await hear(address);
    expect([status, bytes]).toEqual([200, null]);
  });

  it("a vendor's speech stops when the listener leaves", async () => {
    const [address] = addressesIn((await listener()).frames);
    const cancelled = Promise.withResolvers<void>();
    vendorAnswers(() =>
      mp3(
        new ReadableStream({
          start: (to) => to.enqueue(new Uint8Array(10)),
          pull: () => new Promise(() => {}),
          cancel: () => cancelled.resolve(),
        }),
      ),
    );
    const response = await exports.default.fetch(
      new Request(`https://switchboard.test${address}`, { headers: { origin: SHOP } }),
    );
    await response.body?.cancel();
    await expect(cancelled.promise).resolves.toBeUndefined();
  });
});
