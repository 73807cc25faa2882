import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { log } from "../../account/audit-log/support.ts";
import { breakActs, repairLedgers } from "../../support/broken-ledger.ts";
import { BASE, type Client, tenant } from "../../support/client.ts";
import { type CreatedKey, page, SHOP, widgetTenant } from "../../support/widget.ts";

afterEach(repairLedgers);

const pathOf = (id: string) => `/api/v1/widget-keys/${id}/key`;
const outcome = ({ status, code }: { status: number; code: string | null }) => [status, code];

/** Calls the service with other encryption keys, undefined for none. */
async function under(keys: string | undefined, client: Client, method: "GET" | "POST", path: string, body?: object) {
  const headers = { ...client.headers, "content-type": "application/json" };
  const request = new Request(BASE + path, { method, headers, body: body ? JSON.stringify(body) : null });
  const bindings = Object.assign({}, env, { ENCRYPTION_KEYS: keys });
  const response = await app.fetch(request, bindings, createExecutionContext());
  return {
    status: response.status,
    code: response.headers.get("x-error-code"),
    body: await response.json<CreatedKey>(),
  };
}

describe("a widget key shown again", () => {
  it("every console user of the account may see a widget key again, which is audited", async () => {
    const { user, server, widgetKey } = await widgetTenant();
    const shown = await user.get(pathOf(widgetKey.id));
    expect([shown.status, shown.body]).toEqual([200, { id: widgetKey.id, key: widgetKey.key }]);
    const entry = { action: "reveal", resource: "widget_key", resource_id: widgetKey.id, resource_name: "shop" };
    expect((await log(user))[0]).toMatchObject(entry);
    expect(JSON.stringify(await log(user))).not.toContain(widgetKey.key);
    expect(JSON.stringify((await server.get("/api/v1/widget-keys")).body)).not.toContain(widgetKey.key);
  });

  it("a shown widget key still works after the key was disabled and enabled again", async () => {
    const { user, widgetKey } = await widgetTenant();
    const path = `/api/v1/widget-keys/${widgetKey.id}`;
    await user.patch(path, { disabled: true });
    const { key } = (await user.get<{ key: string }>(pathOf(widgetKey.id))).body;
    await user.patch(path, { disabled: false });
    expect((await page(SHOP).guest(key)).status).toBe(200);
  });
});

describe("a widget key that cannot be shown again", () => {
  it("showing a widget key answers 404 for an unknown key or 400 for an invalid id", async () => {
    const { user } = await tenant();
    expect((await user.get(pathOf(crypto.randomUUID()))).status).toBe(404);
    expect((await user.get(pathOf("x"))).status).toBe(400);
  });

  it.each([undefined, "nonsense"])(
    "showing a widget key says that a new key is needed if none could be sealed (%s)",
    async (keys) => {
      const { user, server } = await tenant();
      const created = await under(keys, server, "POST", "/api/v1/widget-keys", { name: "n", domain_allowlist: [SHOP] });
      expect(created).toMatchObject({ status: 201, body: { key: expect.stringMatching(/^pk_live_/) } });
      const answer = await user.get(pathOf(created.body.id));
      expect([...outcome(answer), answer.body]).toEqual([
        409,
        "key_not_stored",
        expect.stringMatching(/create a new one$/),
      ]);
    },
  );

  it("showing a widget key answers 503 if the encryption key that sealed it is lost", async () => {
    const { user, widgetKey } = await widgetTenant();
    expect((await under(env.PRINTED_KEYS[0], user, "GET", pathOf(widgetKey.id))).status).toBe(503);
  });

  it("a widget key is not shown if that cannot be audited", async () => {
    const { account, user, widgetKey } = await widgetTenant();
    await breakActs(account);
    const answer = await user.get(pathOf(widgetKey.id));
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain(widgetKey.key);
  });
});

describe("a widget key shown again is protected", () => {
  it("API keys cannot see a widget key again", async () => {
    const { server, widgetKey } = await widgetTenant();
    expect(outcome(await server.get(pathOf(widgetKey.id)))).toEqual([403, "console_required"]);
  });

  it("a widget key is stored sealed and opens only in its own row", async () => {
    const [mine, theirs] = [await widgetTenant(), await widgetTenant()];
    const stored = async ({ id }: { id: string }) =>
      (await env.DB.prepare("SELECT sealed_key FROM widget_keys WHERE id = ?").bind(id).first<string>("sealed_key")) ??
      "";
    const sealed = await stored(mine.widgetKey);
    expect(sealed).toMatch(/^v1\./);
    const row = await env.DB.prepare("SELECT * FROM widget_keys WHERE id = ?").bind(mine.widgetKey.id).first();
    expect(JSON.stringify(row)).not.toContain(mine.widgetKey.key);
    const move = env.DB.prepare("UPDATE widget_keys SET sealed_key = ? WHERE id = ?");
    await move.bind(sealed, theirs.widgetKey.id).run();
    expect((await theirs.user.get(pathOf(theirs.widgetKey.id))).status).toBe(503);
    expect((await theirs.user.get(pathOf(mine.widgetKey.id))).status).toBe(404);
  });
});
