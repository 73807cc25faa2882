import { describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { call, consoleUser, tenant } from "../support/client.ts";
import { runtimeFor } from "../support/runtime.ts";
import { page, widgetTenant } from "../support/widget.ts";
import { CASES } from "./cases.ts";

/** Every mounted endpoint: `METHOD /path/{parameter}`. */
const mounted = [
  ...new Set(
    app.routes
      .filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)(\{[^}]*\})?/g, "{$1}")}`),
  ),
];
const cases = Object.entries(CASES);

function fill(path: string, params: string[]): string {
  const values = params.values();
  return path.replace(/\{\w+\}/g, () => values.next().value ?? "");
}

describe("isolation of every endpoint", () => {
  it("every endpoint has its isolation case, and every case its endpoint", () => {
    expect([...mounted].sort()).toEqual(Object.keys(CASES).sort());
  });

  it("every isolation case names a foreign row if its path names a row of an account", () => {
    const missing = cases
      .filter(([endpoint, row]) => endpoint.includes("{") && "none" in row && ["list", "create"].includes(row.none))
      .map(([endpoint]) => endpoint);
    expect(missing).toEqual([]);
  });

  for (const [endpoint, row] of cases) {
    const [method = "", path = ""] = endpoint.split(" ");
    if ("none" in row) {
      if (row.none === "public") continue;
      it(`${endpoint} refuses a request without a credential`, async () => {
        const { server, user, account, key } = await tenant();
        const filled = fill(path, [account, crypto.randomUUID(), crypto.randomUUID()]);
        expect((await call(method, filled)).status).toBe(401);
        if (row.none === "operator") {
          expect((await user.send(method, filled, "{}", json)).status).toBe(403);
          expect((await server.send(method, filled, "{}", json)).status).toBe(403);
          return;
        }
        const stranger = await consoleUser("elsewhere");
        const headers = { ...stranger.headers, "x-account-id": account };
        if (row.none === "runtime") {
          expect((await call(method, filled, { headers })).code).toBe("token_invalid");
          expect((await user.send(method, filled, undefined)).code).toBe("token_invalid");
          expect((await server.send(method, filled, undefined)).code).toBe("session_token_required");
          const created = await widgetTenant();
          const { access_token } = (await page().guest(created.widgetKey.key)).body;
          const foreign = await runtimeFor({ key }, access_token).send(method, filled, undefined);
          expect([foreign.status, foreign.code]).toEqual([403, "visitor_not_yours"]);
          return;
        }
        expect((await call(method, filled, { headers })).code).toBe("account_mismatch");
      });
      continue;
    }
    it(`${endpoint} answers 404 for a foreign row without changing it`, async () => {
      const [owner, other] = [await tenant(), await tenant()];
      const params = await row.params(owner);
      const filled = fill(path, params);
      const body = row.body === undefined ? undefined : JSON.stringify(row.body);
      const before = await snapshot(owner.user, path, params);
      const answer = await other.user.send(method, filled, body, body === undefined ? {} : json);
      expect([answer.status, answer.code]).toEqual([404, "not_found"]);
      expect(await snapshot(owner.user, path, params)).toEqual(before);
    });
  }
});

const json = { "content-type": "application/json" };

/** Returns what the owner sees in the collection at the beginning of the path. */
async function snapshot(owner: Awaited<ReturnType<typeof consoleUser>>, path: string, params: string[]) {
  const collection = path.slice(0, path.indexOf("/{"));
  const answer = await owner.get(collection);
  return [answer.status, answer.body, params];
}
