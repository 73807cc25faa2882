import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { LIST_FORM } from "../../../src/campaign/import/list-form.ts";
import { type Later, MAX_BODY_MS, MAX_FILE_MS } from "../../../src/kernel/http/body-deadline.ts";
import { readForm } from "../../../src/kernel/http/multipart.ts";
import { SCOPES } from "../../../src/kernel/scopes.ts";
import { apiKey, BASE, tenant } from "../../support/client.ts";
import { type Person, person } from "../../support/person.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Sends a request whose body arrives late. `meanwhile` runs between its headers and its body. */
async function slowly(
  { client }: Person,
  path: string,
  sent: { body: object; headers?: Record<string, string> },
  meanwhile: () => Promise<unknown>,
) {
  const body = new ReadableStream<Uint8Array>(
    {
      // No part of the body is read before its sender is admitted.
      async pull(controller) {
        await meanwhile();
        vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_000 });
        controller.enqueue(new TextEncoder().encode(JSON.stringify(sent.body)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = Object.assign({ "content-type": "application/json" }, client.headers, sent.headers);
  const request = new Request(BASE + path, { method: "POST", headers, body });
  const response = await app.fetch(request, env, createExecutionContext());
  return [response.status, response.headers.get("x-error-code")];
}

async function team() {
  const { account } = await tenant();
  const [boss, ada] = [await person(account), await person(account)];
  const demote = () => boss.client.patch(`/api/v1/members/${ada.id}`, { role: "viewer" });
  const remove = () => boss.client.delete(`/api/v1/members/${ada.id}`);
  return { boss, ada, demote, remove };
}

describe("a request whose body is slow", () => {
  it("a slow request is refused if the caller's access ended before the body was read", async () => {
    const one = await team();
    const key = { body: { name: "mine" } };
    expect(await slowly(one.ada, "/api/v1/api-keys", key, one.demote)).toEqual([403, "missing_scope"]);
    expect(
      (await one.boss.client.get<{ name: string }[]>("/api/v1/api-keys")).body.map(({ name }) => name),
    ).not.toContain("mine");
    const two = await team();
    expect(await slowly(two.ada, "/api/v1/agents", key, two.remove)).toEqual([401, "token_invalid"]);
  });

  it("a slow request is checked again if its body is read only for the idempotency key", async () => {
    const { ada, boss, demote } = await team();
    const sent = { body: {}, headers: { "idempotency-key": "k" } };
    const path = `/api/v1/members/${boss.id}/reset-link`;
    expect(await slowly(ada, path, sent, demote)).toEqual([403, "missing_scope"]);
  });

  it("a slow request is run if the caller still has access", async () => {
    const { ada } = await team();
    expect(await slowly(ada, "/api/v1/agents", { body: { name: "mine" } }, async () => {})).toEqual([201, null]);
  });
});

/** Returns a body that sends a byte every ten seconds, and advances the clock itself. */
function trickling(moveOn: (ms: number) => void) {
  const sent = { pieces: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        sent.pieces++;
        controller.enqueue(Uint8Array.of(0x20));
        moveOn(10_000);
        if (sent.pieces === 1_000) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, sent };
}

describe("a body that trickles", () => {
  it.each([
    ["anybody's door", "/api/session/refresh", false],
    ["a carrier's door", "/api/telephony/webhooks/sandbox/acme/1", false],
    ["a door of the API", "/api/v1/tools", true],
    ["the door of assistants", "/mcp", true],
  ])("a body that trickles to %s is given up after a minute", async (_, path, isSignedIn) => {
    const { user } = await tenant();
    const { server } = await apiKey(user, { scopes: [...SCOPES] });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { body, sent } = trickling((ms) => vi.advanceTimersByTime(ms));
    const headers = Object.assign({ "content-type": "application/json" }, isSignedIn ? server.headers : {});
    const request = new Request(BASE + path, { method: "POST", headers, body });
    const response = await app.fetch(request, env, createExecutionContext());
    expect([response.status, response.headers.get("x-error-code")]).toEqual([408, "body_too_slow"]);
    expect(sent.pieces).toBeLessThan(MAX_BODY_MS / 10_000 + 10);
  });

  it("a list that trickles is given up after half an hour", async () => {
    let due: { at: number; run: () => void } | null = null;
    let now = 0;
    const after: Later = (ms, run) => {
      due = { at: now + ms, run };
      return () => {
        due = null;
      };
    };
    const { body, sent } = trickling((ms) => {
      now += ms;
      if (due && now >= due.at) due.run();
    });
    const headers = new Headers({ "content-type": "multipart/form-data; boundary=b" });
    const reading = readForm({ headers, body: asBytes(body), after }, LIST_FORM, { field: () => {}, chunk: () => {} });
    await expect(reading).rejects.toMatchObject({ status: 408, code: "body_too_slow" });
    expect(sent.pieces).toBeLessThan(MAX_FILE_MS / 10_000 + 10);
  });
});

/** Converts the stream to the platform's kind, which can be read into a buffer. */
function asBytes(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const { readable, writable } = new IdentityTransformStream();
  stream.pipeTo(writable).catch(() => {});
  return readable;
}
