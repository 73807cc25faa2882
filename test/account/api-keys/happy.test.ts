import { describe, expect, it } from "vitest";
import { operator, tenant } from "../../support/client.ts";

const KEYS = "/api/v1/api-keys";
const DAY = 86_400_000;

interface Key {
  id: string;
  name: string;
  key: string;
  last8: string;
  expires_at: string | null;
  disabled_at: string | null;
  last_used_at: string | null;
}

describe("the API keys endpoint", () => {
  it("shows a key in plain text only once", async () => {
    const { user, server, account } = await tenant();
    const created = await user.post<Key>(KEYS, { name: "CI", expiry: "never" });
    expect(created.status).toBe(201);
    expect(Object.keys(created.body).sort()).toEqual(
      "agent_ids allowed_addresses created_at expires_at id key last8 name scopes scopes_named unattended".split(" "),
    );
    expect(created.body.key).toMatch(new RegExp(`^sk_live_${account}_[0-9A-Za-z]{38}$`));
    expect(created.body.key.endsWith(created.body.last8)).toBe(true);
    const listed = await server.get<Key[]>(KEYS);
    expect(listed.body.map(({ name }) => name)).toEqual(["CI", "test"]);
    expect(JSON.stringify(listed.body)).not.toContain(created.body.key);
    expect(listed.body[0]).not.toHaveProperty("hash");
  });

  it("accepts never, days and a time as expiry", async () => {
    const { user } = await tenant();
    const expiry = async (text: string) => (await user.post<Key>(KEYS, { name: "k", expiry: text })).body.expires_at;
    expect(await expiry("never")).toBeNull();
    const days = Date.parse((await expiry("90d")) ?? "") - Date.now();
    expect(Math.abs(days - 90 * DAY)).toBeLessThan(60_000);
    expect(await expiry("2099-01-02T03:04:05+01:00")).toBe("2099-01-02T02:04:05.000Z");
  });

  it("creates keys for a year by default, or as long as the account allows", async () => {
    const { user, account } = await tenant({ max_key_expiry_days: 30 });
    const created = await user.post<Key>(KEYS, { name: "k" });
    expect(Math.abs(Date.parse(created.body.expires_at ?? "") - Date.now() - 30 * DAY)).toBeLessThan(60_000);
    for (const expiry of ["never", "31d", "2099-01-01T00:00:00Z"]) {
      expect((await user.post(KEYS, { name: "k", expiry })).code).toBe("invalid_expiry");
    }
    await (await operator()).patch(`/api/admin/v1/accounts/${account}`, { max_key_expiry_days: null });
    const free = await user.post<Key>(KEYS, { name: "k" });
    expect(Math.abs(Date.parse(free.body.expires_at ?? "") - Date.now() - 365 * DAY)).toBeLessThan(60_000);
    expect((await user.post<Key>(KEYS, { name: "k", expiry: "never" })).body.expires_at).toBeNull();
  });

  it("disables, enables and renames a key, and keeps the first time if it is disabled twice", async () => {
    const { user, server, key } = await tenant();
    const path = `${KEYS}/${key.id}`;
    const disable = async () => {
      expect((await user.patch(path, { disabled: true })).status).toBe(204);
      return (await user.get<Key[]>(KEYS)).body[0]?.disabled_at;
    };
    const at = await disable();
    expect(at).toMatch(/Z$/);
    expect(await disable()).toBe(at);
    expect((await server.get(KEYS)).status).toBe(403);
    expect((await user.patch(path, { disabled: false, name: "renamed" })).status).toBe(204);
    expect((await server.get<Key[]>(KEYS)).body).toMatchObject([{ name: "renamed", disabled_at: null }]);
    expect((await user.patch(path, {})).status).toBe(204);
  });

  it("deletes a key that was never used, and keeps a used one as disabled", async () => {
    const { user, server, key } = await tenant();
    const { body: unused } = await user.post<Key>(KEYS, { name: "unused" });
    await server.get(KEYS);
    expect((await user.delete(`${KEYS}/${unused.id}`)).status).toBe(204);
    expect((await user.delete(`${KEYS}/${key.id}`)).status).toBe(204);
    const left = (await user.get<Key[]>(KEYS)).body;
    expect(left).toMatchObject([{ id: key.id }]);
    expect(left[0]?.disabled_at).not.toBeNull();
    expect(left[0]?.last_used_at).not.toBeNull();
    expect((await user.delete(`${KEYS}/${unused.id}`)).status).toBe(404);
    expect((await user.delete(`${KEYS}/${key.id}`)).status).toBe(204);
  });
});
