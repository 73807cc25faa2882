import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { BASE, tenant } from "../../support/client.ts";
import { type Person, person } from "../../support/person.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Sends a request whose body comes late: between its beginning and its body `meanwhile` happens. */
async function slowly(
  { client }: Person,
  path: string,
  sent: { body: object; headers?: Record<string, string> },
  meanwhile: () => Promise<unknown>,
) {
  const body = new ReadableStream<Uint8Array>(
    {
      // Nothing is read of it before its sender is admitted.
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
  it("is refused if the caller's access ended before the body was read", async () => {
    const one = await team();
    const key = { body: { name: "mine" } };
    expect(await slowly(one.ada, "/api/v1/api-keys", key, one.demote)).toEqual([403, "missing_scope"]);
    expect(
      (await one.boss.client.get<{ name: string }[]>("/api/v1/api-keys")).body.map(({ name }) => name),
    ).not.toContain("mine");
    const two = await team();
    expect(await slowly(two.ada, "/api/v1/agents", key, two.remove)).toEqual([401, "token_invalid"]);
  });

  it("is checked again if its body is read only for the idempotency key", async () => {
    const { ada, boss, demote } = await team();
    const sent = { body: {}, headers: { "idempotency-key": "k" } };
    const path = `/api/v1/members/${boss.id}/reset-link`;
    expect(await slowly(ada, path, sent, demote)).toEqual([403, "missing_scope"]);
  });

  it("is carried out while the caller still has access", async () => {
    const { ada } = await team();
    expect(await slowly(ada, "/api/v1/agents", { body: { name: "mine" } }, async () => {})).toEqual([201, null]);
  });
});
