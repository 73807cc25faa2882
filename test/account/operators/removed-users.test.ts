import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { issueConsoleToken } from "../../../src/account/auth/console-token.ts";
import { type Client, call, operator, tenant } from "../../support/client.ts";
import { PASSWORD, type Person, person } from "../../support/person.ts";

const ADMIN = "/api/admin/v1/accounts";
const outcome = ({ status, code }: { status: number; code: string | null }) => `${status} ${code}`;

const remove = async ({ account, id }: Person) => (await operator()).delete(`${ADMIN}/${account}/users/${id}`);

/** Tries one request of each kind that a signed-in console user can make. */
async function tryEverything(user: Client, campaign: string) {
  const answers = [
    await user.get("/api/v1/agents"),
    await user.get(`/api/v1/campaigns/${campaign}`),
    await user.get(`/api/v1/campaigns/${campaign}/events`),
    await user.get("/api/v1/call-limits"),
    await user.post("/api/v1/agents", { name: "a" }),
    await user.post("/api/v1/api-keys", { name: "k", expiry: "never" }),
    await user.send("POST", "/api/v1/campaigns", form()),
  ];
  return answers.map(outcome);
}

function form(): FormData {
  const form = new FormData();
  form.set("contacts", new File(["phone_number\n+12025550123\n"], "contacts.csv"));
  return form;
}

describe("a user who is removed", () => {
  it("can neither read, write nor create keys from the next request on", async () => {
    const { account, server } = await tenant();
    const somebody = await person(account);
    const { client } = somebody;
    const campaign = (await client.send<{ id: string }>("POST", "/api/v1/campaigns", form())).body.id;
    expect((await client.get("/api/v1/agents")).status).toBe(200);
    expect((await client.post("/api/v1/api-keys", { name: "before" })).status).toBe(201);
    const before = (await server.get<unknown[]>("/api/v1/api-keys")).body;
    expect((await remove(somebody)).status).toBe(204);
    expect(await tryEverything(client, campaign)).toEqual(Array(7).fill("401 token_invalid"));
    expect((await server.get("/api/v1/api-keys")).body).toHaveLength(before.length);
    expect((await server.get("/api/v1/agents")).body).toEqual([]);
    expect((await server.get<{ total: number }>("/api/v1/campaigns")).body.total).toBe(1);
  });

  it("a user who is removed is asked to sign in again", async () => {
    const somebody = await person((await tenant()).account);
    await remove(somebody);
    expect((await somebody.client.get("/api/v1/agents")).headers.get("www-authenticate")).toBe("Bearer");
  });

  it("keeps their other account, and does not regain access through it", async () => {
    const [one, two] = [await tenant(), await tenant()];
    const email = `${crypto.randomUUID()}@people.example`;
    const [here, there] = [await person(one.account, email), await person(two.account, email)];
    await remove(here);
    expect((await here.client.get("/api/v1/agents")).status).toBe(401);
    expect((await there.client.get("/api/v1/agents")).status).toBe(200);
    const again = await person(one.account, email);
    expect((await here.client.get("/api/v1/agents")).status).toBe(401);
    expect((await again.client.get("/api/v1/agents")).status).toBe(200);
  });

  it("a removed user is not admitted by another account's row with the same id", async () => {
    const [one, two] = [await tenant(), await tenant()];
    const { id } = await person(one.account);
    const token = await issueConsoleToken(env, { id, email: "a@b.example", account: two.account }, Date.now());
    const headers = { authorization: `Bearer ${token}`, "x-account-id": two.account };
    expect(outcome(await call("GET", "/api/v1/agents", { headers }))).toBe("401 token_invalid");
  });

  it("a removed user of a disabled account gets the account's error", async () => {
    const [admin, { account }] = [await operator(), await tenant()];
    const somebody = await person(account);
    await remove(somebody);
    await admin.patch(`${ADMIN}/${account}`, { disabled: true });
    expect(outcome(await somebody.client.get("/api/v1/agents"))).toBe("403 account_closed");
  });
});

describe("an operator who is removed", () => {
  it("can no longer create accounts or operators", async () => {
    const admin = await operator();
    const somebody = await person("service-admin");
    const { client } = somebody;
    const name = `acc-${crypto.randomUUID().slice(0, 8)}`;
    expect((await client.get(ADMIN)).status).toBe(200);
    expect((await remove(somebody)).status).toBe(204);
    const answers = [
      await client.get(ADMIN),
      await client.post(ADMIN, { name }),
      await client.post(`${ADMIN}/service-admin/users`, { email: `${name}@x.example`, password: PASSWORD }),
      await client.post("/api/admin/v1/rekey"),
    ];
    expect(answers.map(outcome)).toEqual(Array(4).fill("401 token_invalid"));
    expect((await admin.get(`${ADMIN}/${name}`)).status).toBe(404);
  });
});
