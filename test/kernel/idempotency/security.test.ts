import { z } from "@hono/zod-openapi";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { takesIdempotencyKey } from "../../../src/kernel/http/idempotency.ts";
import { holdsSecrets, secretText, withoutSecrets } from "../../../src/kernel/http/secret-fields.ts";
import { served } from "../../../src/kernel/http/serve.ts";
import { Client, consoleUser, tenant } from "../../support/client.ts";
import { isReplay, postWithKey, storesOf } from "./support.ts";

const AGENTS = "/api/v1/agents";

/** Returns everything that is stored for an account under idempotency keys, as text. */
const stored = async (account: string) => JSON.stringify((await storesOf(account)).map(({ rows }) => rows));

describe("a secret that is shown once", () => {
  it.each([
    ["an API key", "/api/v1/api-keys", "key", { name: "a" }],
    ["a widget key", "/api/v1/widget-keys", "key", { name: "a" }],
  ])("a secret in the answer with %s is null when it is repeated, and is not stored", async (_, path, field, body) => {
    const { user, account } = await tenant();
    const first = await postWithKey<Record<string, string>>(user, path, "k", body);
    const secret = first.body[field] ?? "";
    expect(secret).toMatch(/^[sp]k_live_/);
    const again = await postWithKey(user, path, "k", body);
    expect([again.status, again.body, isReplay(again)]).toEqual([201, { ...first.body, [field]: null }, true]);
    expect(await stored(account)).toContain(first.body.id);
    expect(await stored(account)).not.toContain(secret);
    expect(await stored(account)).not.toContain(secret.slice(-20));
  });

  it("a repeated visitor token is null", async () => {
    const { user, server, account } = await tenant();
    const agent = await user.post<{ id: string }>(AGENTS, { name: "a", status: "active" });
    const key = await user.post<{ key: string }>("/api/v1/widget-keys", { name: "a", agent_id: agent.body.id });
    const body = { client_key: key.body.key, user_id: "u" };
    const path = "/api/v1/widget/auth/user-token";
    const first = await postWithKey<{ visitor_token: string }>(server, path, "k", body);
    const again = await postWithKey(server, path, "k", body);
    expect([first.status, again.body]).toEqual([200, { ...first.body, visitor_token: null }]);
    expect(await stored(account)).not.toContain(first.body.visitor_token);
    // Neither the request nor its key is stored in plain text.
    expect(await stored(account)).not.toContain(key.body.key);
  });

  it("a secret is marked in every response that may be replayed", () => {
    const fields = served.filter(takesIdempotencyKey).flatMap(({ operationId, response, body }) => {
      if (!(response instanceof z.ZodObject)) return [];
      // Values that the request itself contains are not secrets that are shown once.
      const fields = body instanceof z.ZodObject ? Object.keys(body.shape) : [];
      return Object.entries(response.shape)
        .filter(([name, field]) => /key$|token$|secret$|password|^url$/.test(name) && !holdsSecrets(field as z.ZodType))
        .filter(([name, field]) => !(field instanceof z.ZodObject) && !fields.includes(name))
        .map(([name]) => `${operationId}.${name}`);
    });
    // The address from which a document is read is not secret.
    expect(fields).toEqual(["refreshDocument.url"]);
    const marked = served.filter((endpoint) => takesIdempotencyKey(endpoint) && endpoint.response);
    const names = marked.filter(({ response }) => response && holdsSecrets(response)).map((one) => one.operationId);
    expect(names).toEqual(expect.arrayContaining(["createApiKey", "createWidgetKey", "createVisitorToken"]));
  });

  it("a secret is found wherever it is in a schema, and nothing else is changed", () => {
    const secret = secretText({ description: "A secret." });
    const schema = z.object({
      plain: z.string(),
      secret,
      list: z.array(z.object({ secret, n: z.number() })),
      perhaps: z.object({ secret }).nullable().optional(),
      either: z.union([z.object({ secret }), z.object({ other: z.string() })]),
    });
    fc.assert(
      fc.property(fc.string(), fc.array(fc.integer()), fc.boolean(), fc.boolean(), (plain, ns, there, first) => {
        const answer = {
          plain,
          secret: "s",
          list: ns.map((n) => ({ secret: "s", n })),
          perhaps: there ? { secret: "s" } : null,
          either: first ? { secret: "s" } : { other: plain },
        };
        expect(withoutSecrets(schema, answer)).toEqual({
          plain,
          secret: null,
          list: ns.map((n) => ({ secret: null, n })),
          perhaps: there ? { secret: null } : null,
          either: first ? { secret: null } : { other: plain },
        });
      }),
    );
  });
});

describe("an idempotency key", () => {
  it("each account, API key and user has its own idempotency keys", async () => {
    const [one, two] = [await tenant(), await tenant()];
    const other = await one.user.post<{ key: string }>("/api/v1/api-keys", { name: "other" });
    const clients = [
      one.user,
      one.server,
      new Client({ authorization: `Bearer ${other.body.key}` }),
      await consoleUser(one.account),
      two.user,
      two.server,
    ];
    for (const [n, client] of clients.entries()) {
      const created = await postWithKey(client, AGENTS, "k", { name: String(n) });
      expect([created.status, created.body.name, isReplay(created)]).toEqual([201, String(n), false]);
    }
    expect((await one.user.get(AGENTS)).body).toHaveLength(4);
    expect((await two.user.get(AGENTS)).body).toHaveLength(2);
  });

  it("does not replay a response to callers who lost access", async () => {
    const { user, server, key } = await tenant();
    expect((await postWithKey(server, AGENTS, "k", { name: "a" })).status).toBe(201);
    await user.patch(`/api/v1/api-keys/${key.id}`, { disabled: true });
    expect((await postWithKey(server, AGENTS, "k", { name: "a" })).code).toBe("key_revoked");
  });

  it("does not store a refused admission", async () => {
    const { user, server, key } = await tenant();
    await user.patch(`/api/v1/api-keys/${key.id}`, { disabled: true });
    expect((await postWithKey(server, AGENTS, "k", { name: "a" })).status).toBe(403);
    await user.patch(`/api/v1/api-keys/${key.id}`, { disabled: false });
    expect((await postWithKey(server, AGENTS, "k", { name: "a" })).status).toBe(201);
  });
});
