import { describe, expect, it } from "vitest";
import { mintSecret } from "../../src/kernel/secrets/api-key.ts";
import { setQuotas } from "../account/quotas/support.ts";
import { tenant } from "../support/client.ts";
import { countRoundTrips } from "../support/counting.ts";
import { bearer, person } from "../support/person.ts";

describe("storage round trips of an authenticated read", () => {
  it("an authenticated read costs one hop to the gate, and one D1 batch if it is not cached", async () => {
    const { server, user } = await tenant();
    await server.get("/api/v1/faqs");
    const read = (path: string, { headers }: { headers: Record<string, string> }) => countRoundTrips(path, headers);
    const first = await read("/api/v1/agents", server);
    const again = await read("/api/v1/agents", server);
    const byToken = await read("/api/v1/agents", user);
    console.warn(
      [
        "GET /api/v1/agents    gate  D1",
        `  first               ${first.objects}     ${first.d1}`,
        `  again, API key      ${again.objects}     ${again.d1}`,
        `  again, token        ${byToken.objects}     ${byToken.d1}`,
      ].join("\n"),
    );
    expect(first).toMatchObject({ status: 200, objects: 1, d1: 1 });
    expect(again).toMatchObject({ status: 200, objects: 1, d1: 0, body: first.body });
    expect(byToken).toMatchObject({ status: 200, objects: 1, d1: 0, body: first.body });
  });

  it("a read is cached again after a write that a quota refused", async () => {
    const { user, account } = await tenant();
    await setQuotas(account, { agents: 0 });
    expect((await user.post("/api/v1/agents", { name: "a" })).status).toBe(403);
    const read = () => countRoundTrips("/api/v1/agents", user.headers);
    expect(await read()).toMatchObject({ status: 200, d1: 1 });
    expect(await read()).toMatchObject({ status: 200, d1: 0 });
  });

  it.each(["do-not-call", "api-keys", "widget-keys", "voices"])(
    "a read of %s costs one hop and one D1 batch each time, because it changes by itself",
    async (list) => {
      const { user } = await tenant();
      await user.get("/api/v1/faqs");
      for (let i = 0; i < 2; i++) {
        const trips = await countRoundTrips(`/api/v1/${list}`, user.headers);
        expect(trips).toMatchObject({ status: 200, objects: 1, d1: 1 });
      }
    },
  );

  it.each([
    ["/api/session", 1, 0],
    ["/api/sessions", 2, 0],
    ["/api/second-factor", 1, 1],
    ["/api/v1/invitations", 1, 1],
    ["/api/v1/sign-in-policy", 1, 1],
  ])("a read of %s costs %i hops and %i D1 batches", async (path, objects, d1) => {
    const { client } = await person((await tenant()).account);
    await client.get("/api/v1/faqs");
    for (let i = 0; i < 2; i++)
      expect(await countRoundTrips(path, client.headers)).toMatchObject({ status: 200, objects, d1 });
  });

  it("a renewal costs one hop to the gate and one D1 batch", async () => {
    const [home, other] = [await person((await tenant()).account), await person((await tenant()).account)];
    const { refresh_token } = (await home.signIn()).body;
    const body = { refresh_token };
    const renewal = await countRoundTrips("/api/session/refresh", {}, { method: "POST", body });
    expect(renewal).toMatchObject({ status: 200, objects: 1, d1: 1 });
    const access_token = other.client.headers.authorization?.split(" ")[1];
    const joined = await home.client.post<{ access_token: string }>("/api/memberships/join", { access_token });
    const client = bearer(joined.body.access_token, other.account);
    await client.get("/api/v1/faqs");
    expect(await countRoundTrips("/api/v1/faqs", client.headers)).toMatchObject({ status: 200, objects: 2, d1: 0 });
  });

  it.each(["calls", "recordings"])(
    "a read of %s costs one trip to the ledger and none to D1 once its volumes are known",
    async (list) => {
      const { user } = await tenant();
      for (const d1 of [1, 0]) {
        const trips = await countRoundTrips(`/api/v1/${list}`, user.headers);
        expect(trips).toMatchObject({ status: 200, objects: 2, d1 });
      }
    },
  );

  it("a key with a wrong checksum costs no storage round trip", async () => {
    const headers = { authorization: `Bearer sk_live_acme_${"x".repeat(38)}` };
    expect(await countRoundTrips("/api/v1/agents", headers)).toMatchObject({ status: 401, objects: 0, d1: 0 });
  });

  it("a read of an account that does not exist reaches no object", async () => {
    const { key } = await tenant();
    const authorization = `Bearer ${mintSecret(`sk_live_invented-${key.id}`)}`;
    const trips = await countRoundTrips("/api/v1/agents", { authorization });
    expect(trips).toMatchObject({ status: 401, objects: 0, d1: 1 });
  });
});
