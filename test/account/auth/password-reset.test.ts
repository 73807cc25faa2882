import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Secret, TOTP } from "otpauth";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createReset } from "../../../src/account/auth/password-resets.ts";
import { STRANGERS_BUDGET } from "../../../src/account/gate/sign-in-delay.ts";
import { app } from "../../../src/app.ts";
import { ReferenceViolation } from "../../../src/kernel/db/account-store.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { HOUR_MS } from "../../../src/kernel/time.ts";
import { BASE, call, operator, tenant } from "../../support/client.ts";
import { PASSWORD, type Person, person } from "../../support/person.ts";

const NEW = "battery staple";
const BAD_LINK = "400 token_invalid";
const outcome = ({ status, code }: { status: number; code: string | null }) => (code ? `${status} ${code}` : status);

afterEach(() => {
  vi.useRealTimers();
});

const somebody = async () => person((await tenant()).account);
const storeOf = (account: string) => accountStore(env, account, { actor: "system:test", request_id: "" });
async function link({ account, id }: Pick<Person, "account" | "id">): Promise<string> {
  const { url } = await createReset(env, storeOf(account), { user: id, createdBy: "console:admin" }, Date.now());
  return new URL(url).hash.slice(1);
}
const reset = (token: string, new_password = NEW) =>
  call("POST", "/api/password/reset", { body: { token, new_password } });

describe("a reset link", () => {
  it("sets a new password, ends every session, and is audited", async () => {
    const who = await somebody();
    const { refresh_token } = (await who.signIn()).body;
    const token = await link(who);
    const { results } = await env.DB.prepare("SELECT * FROM password_resets WHERE id = ?").bind(who.id).all();
    expect(JSON.stringify(results)).not.toContain(token.split(".")[1]);
    expect((await reset(token)).status).toBe(204);
    expect((await who.client.get("/api/v1/agents")).status).toBe(401);
    expect((await call("POST", "/api/session/refresh", { body: { refresh_token } })).status).toBe(401);
    expect((await who.signIn()).status).toBe(401);
    const client = await who.session(NEW);
    expect((await client.get("/api/v1/agents")).status).toBe(200);
    const { entries } = (await client.get<{ entries: object[] }>("/api/v1/audit-log?action=reset_password")).body;
    expect(entries).toMatchObject([{ actor: `console:${who.id}`, resource_id: who.id }]);
  });

  it("works once, even if ten requests use it at once, and only the latest", async () => {
    const who = await somebody();
    const earlier = await link(who);
    const token = await link(who);
    expect(outcome(await reset(earlier))).toBe(BAD_LINK);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => reset(token, `${NEW} ${n}`)));
    expect(answers.map(outcome).sort()).toEqual([204, ...Array(9).fill(BAD_LINK)]);
    const winner = answers.findIndex(({ status }) => status === 204);
    expect((await who.signIn(`${NEW} ${winner}`)).status).toBe(200);
    expect(outcome(await reset(token))).toBe(BAD_LINK);
  });

  it("works for an hour", async () => {
    const who = await somebody();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const [late, inTime] = [await link(who), Date.now() + HOUR_MS - 1_000];
    vi.setSystemTime(inTime + 1_000);
    expect(outcome(await reset(late))).toBe(BAD_LINK);
    const token = await link(who);
    vi.setSystemTime(inTime + HOUR_MS - 1_000);
    expect((await reset(token)).status).toBe(204);
  });

  it("a weak password does not use up a reset link", async () => {
    const who = await somebody();
    const token = await link(who);
    expect(outcome(await reset(token, "password1234"))).toBe("400 weak_password");
    expect((await reset(token, "short")).status).toBe(400);
    expect((await reset(token)).status).toBe(204);
  });

  it("answers alike whether it is unknown, used, expired, of another account or of a deleted user", async () => {
    const [who, other] = [await somebody(), await somebody()];
    const used = await link(who);
    await reset(used);
    const secret = (await link(who)).split(".")[1] ?? "";
    const gone = await link(other);
    await (await operator()).delete(`/api/admin/v1/accounts/${other.account}/users/${other.id}`);
    const tokens = [used, gone, `${other.account}.${secret}`, `nobody-here.${secret}`, `${who.account}.`, "x", ""];
    const answers = await Promise.all(tokens.map((token) => reset(token)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(outcome(answers[0] ?? expect.fail("there is none"))).toBe(BAD_LINK);
    expect((await reset(`${who.account}.${secret}`)).status).toBe(204);
  });

  it("a reset link is not created for a user who does not exist", async () => {
    const { account } = await tenant();
    await expect(link({ account, id: crypto.randomUUID() })).rejects.toThrow(ReferenceViolation);
  });

  it("keeps the second factor", async () => {
    const who = await somebody();
    const { secret } = (await who.client.post<{ secret: string }>("/api/second-factor")).body;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    expect((await who.client.post("/api/second-factor/confirm", { code })).status).toBe(200);
    expect((await reset(await link(who))).status).toBe(204);
    expect(outcome(await who.signIn(NEW))).toBe("401 second_factor_required");
  });

  it("works for its user even if strangers have used up the attempts", async () => {
    const who = await somebody();
    const send = async (path: string, address: string, body: unknown) => {
      const headers = { "content-type": "application/json", "cf-connecting-ip": address };
      const request = new Request(BASE + path, { method: "POST", headers, body: JSON.stringify(body) });
      return app.fetch(request, Object.assign({}, env, { RATE_LIMITS: "on" }), createExecutionContext());
    };
    const { account, email } = who;
    const signIn = async (address: string, password: string) =>
      (await send("/api/login", address, { account, email, password })).status;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    for (let n = 0; n < STRANGERS_BUDGET; n++) expect(await signIn(`203.0.113.${n}`, "wrong horse")).toBe(401);
    const home = "198.51.100.8";
    expect(await signIn(home, PASSWORD)).toBe(429);
    const token = await link(who);
    expect((await send("/api/password/reset", home, { token, new_password: NEW })).status).toBe(204);
    expect(await signIn(home, NEW)).toBe(200);
    expect(await signIn("203.0.113.99", NEW)).toBe(429);
  });
});
