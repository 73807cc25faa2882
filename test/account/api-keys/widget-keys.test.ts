import { describe, expect, it } from "vitest";
import { apiKey, type Client, tenant } from "../../support/client.ts";

interface Listed {
  id: string;
  disabled_at: string | null;
}

const WAYS: [way: string, shut: (user: Client, id: string, query: string) => Promise<{ status: number }>][] = [
  ["disabled", (user, id, query) => user.patch(`/api/v1/api-keys/${id}${query}`, { disabled: true })],
  ["deleted", (user, id, query) => user.delete(`/api/v1/api-keys/${id}${query}`)],
];

/**
 * Creates an account with widget keys from two API keys and from the owner. Returns a function that lists the disabled
 * ones.
 */
async function threeKeys() {
  const { user } = await tenant();
  const [leaked, other] = [await apiKey(user, {}), await apiKey(user, {})];
  const make = async (client: Client) => (await client.post<Listed>("/api/v1/widget-keys", { name: "k" })).body.id;
  const made = { leaked: await make(leaked.server), other: await make(other.server), owner: await make(user) };
  const disabled = async () => {
    const { body } = await user.get<Listed[]>("/api/v1/widget-keys");
    return Object.entries(made).flatMap(([name, id]) =>
      body.find((key) => key.id === id)?.disabled_at === null ? [] : [name],
    );
  };
  return { user, leaked, made, disabled };
}

describe("an API key that is disabled or deleted", () => {
  it.each(WAYS)("an API key that is disabled or deleted disables its widget keys on request: %s", async (_, shut) => {
    const { user, leaked, disabled } = await threeKeys();
    expect((await shut(user, leaked.id, "?widget_keys=disable")).status).toBe(204);
    expect(await disabled()).toEqual(["leaked"]);
    const { body } = await user.get<{ entries: { resource_id: string; changes: Record<string, unknown> }[] }>(
      "/api/v1/audit-log?resource=api_key",
    );
    const [entry] = body.entries.filter(({ resource_id }) => resource_id === leaked.id);
    expect(entry?.changes.disabled_widget_keys).toEqual({ from: null, to: ["k"] });
  });

  it.each(WAYS)(
    "an API key that is disabled or deleted leaves its widget keys enabled by default: %s",
    async (_, shut) => {
      const { user, leaked, disabled } = await threeKeys();
      for (const query of ["", "?widget_keys=keep"]) await shut(user, leaked.id, query);
      expect(await disabled()).toEqual([]);
    },
  );

  it("disables its widget keys only if the same request disables it", async () => {
    const { user, leaked, disabled } = await threeKeys();
    const answer = await user.patch(`/api/v1/api-keys/${leaked.id}?widget_keys=disable`, { name: "n" });
    expect(answer.status).toBe(400);
    expect(await disabled()).toEqual([]);
  });

  it("disables nothing if it is unknown", async () => {
    const { user, disabled } = await threeKeys();
    const unknown = crypto.randomUUID();
    for (const [, shut] of WAYS) expect((await shut(user, unknown, "?widget_keys=disable")).status).toBe(404);
    expect(await disabled()).toEqual([]);
  });
});
