import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { API, type IdentityProvider, startIdentityProvider } from "../support/identity-provider.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

let idp: IdentityProvider;
let worker: RunningWorker;

beforeAll(async () => {
  idp = await startIdentityProvider(["acme", "service-admin"]);
  worker = await startWorker(idp.vars);
  await idp.trust(worker.origin);
});

afterAll(async () => {
  await worker.stop();
  await idp.stop();
});

async function request(token: string, account = "acme", path = "/api/v1/api-keys", init: RequestInit = {}) {
  const headers = { ...init.headers, authorization: `Bearer ${token}`, "x-account-id": account };
  const response = await fetch(worker.origin + path, { ...init, headers });
  await response.text();
  return response;
}

const claims = (changes: Record<string, unknown> = {}) => {
  const now = Math.floor(Date.now() / 1000);
  const good = { sub: "ada", iss: idp.issuer, aud: API, iat: now, exp: now + 600 };
  return { ...good, "https://switchboard.test/accounts": ["acme"], ...changes };
};
const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("a provider's console tokens", () => {
  it("a clearly invalid token of a provider is refused without a request", async () => {
    const now = Math.floor(Date.now() / 1000);
    const good = await idp.sign(claims());
    const [head = "", body = ""] = good.split(".");
    const publicKey = new TextEncoder().encode(JSON.stringify(idp.publicKey()));
    const hs256 = await new SignJWT(claims()).setProtectedHeader({ alg: "HS256" }).sign(publicKey);
    const refused = {
      "wrong issuer": await idp.sign(claims({ iss: "https://evil.example" })),
      "issuer of another path": await idp.sign(claims({ iss: `${idp.issuer}/other` })),
      "no issuer": await idp.sign(claims({ iss: undefined })),
      "wrong audience": await idp.sign(claims({ aud: "https://other.example" })),
      "wrong audience, as the provider gives it": await idp.token("https://other.example"),
      "no audience": await idp.sign(claims({ aud: undefined })),
      "the client as audience (an ID token)": await idp.sign(claims({ aud: "console" })),
      expired: await idp.sign(claims({ exp: now - 31 })),
      "no expiry": await idp.sign(claims({ exp: undefined })),
      "a logout token": await idp.sign(claims(), { typ: "logout+jwt" }),
      "alg none": `${b64({ alg: "none" })}.${body}.`,
      "alg none with a signature": `${b64({ alg: "none" })}.${body}.AAAA`,
      "HS256 with the public key": hs256,
      "an algorithm not taken": `${b64({ alg: "ES256K" })}.${body}.AAAA`,
      "a header that is not JSON": `eyJub3Q.${body}.AAAA`,
      "a body that is not JSON": `${head}.eyJub3Q.AAAA`,
      "the embedded issuer, switched off": await idp.sign(claims({ iss: "switchboard", aud: "console" })),
    };
    const before = idp.requests.filter((path) => path !== "/token").length;
    for (const [what, token] of Object.entries(refused)) {
      expect.soft((await request(token)).status, what).toBe(401);
    }
    expect(idp.requests.filter((path) => path !== "/token")).toHaveLength(before);
  });

  it("open the accounts they name, and no other", async () => {
    const token = await idp.token();
    const created = await request(token, "service-admin", "/api/admin/v1/accounts", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "acme" }),
    });
    expect(created.status).toBe(201);
    expect((await request(token)).status).toBe(200);
    expect((await request(token, "globex")).status).toBe(403);
    expect((await request(token, "not a name")).status).toBe(400);
    const discoveries = idp.requests.filter((path) => path.startsWith("/.well-known"));
    expect(discoveries).toHaveLength(1);
  });

  it("a provider's token is accepted until 30 s after its expiry, because clocks differ", async () => {
    const exp = Math.floor(Date.now() / 1000) - 15;
    expect((await request(await idp.sign(claims({ exp })))).status).toBe(200);
  });

  it("may name one account as plain text, and open no account if they name none", async () => {
    const claim = "https://switchboard.test/accounts";
    expect((await request(await idp.sign(claims({ [claim]: "acme" })))).status).toBe(200);
    expect((await request(await idp.sign(claims({ [claim]: undefined })))).status).toBe(403);
    expect((await request(await idp.sign(claims({ [claim]: { acme: true } })))).status).toBe(403);
  });

  it("a provider's token is refused if the signature is not the provider's", async () => {
    const [head, , signature] = (await idp.sign(claims())).split(".");
    const forged = `${head}.${b64(claims({ sub: "mallory" }))}.${signature}`;
    expect((await request(forged)).status).toBe(401);
    expect((await request(await idp.sign(claims({ sub: "" })))).status).toBe(401);
    expect((await request(await idp.sign(claims({ nbf: Math.floor(Date.now() / 1000) + 300 })))).status).toBe(401);
  });

  it("signed with an unknown key cause the keys to be read again, at most every five seconds", async () => {
    const old = await idp.sign(claims());
    await idp.rotateKey();
    const fresh = await idp.sign(claims());
    const seen = new Set<number>();
    const taken = async () => {
      const { status } = await request(fresh);
      seen.add(status);
      return status;
    };
    await expect.poll(taken, { interval: 250 }).toBe(200);
    expect(seen).not.toContain(401);
    expect((await request(old)).status).toBe(503);
    const reads = idp.requests.filter((path) => path === "/jwks").length;
    const unknown = await request(await idp.sign(claims(), { kid: "nobody" }));
    expect([unknown.status, unknown.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(idp.requests.filter((path) => path === "/jwks")).toHaveLength(reads);
  });
});

describe("a provider that does not answer", () => {
  it("a provider that does not answer yields a 503 with Retry-After and gets no requests meanwhile", async () => {
    let requests = 0;
    const broken = createServer((_, response) => {
      requests++;
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
    const issuer = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
    const other = await startWorker({ OIDC_ISSUER: issuer, OIDC_AUDIENCE: API });
    try {
      const token = await idp.sign(claims({ iss: issuer }));
      const began = Date.now();
      const headers = { authorization: `Bearer ${token}`, "x-account-id": "acme" };
      for (const path of ["/api/v1/agents", "/api/v1/agents", "/api/login?account=acme"]) {
        const answer = await fetch(other.origin + path, { headers, redirect: "manual" });
        expect([answer.status, answer.headers.get("x-error-code")]).toEqual([503, "identity_unavailable"]);
        expect(answer.headers.get("retry-after")).toBe("5");
      }
      // On a busy machine, the three attempts may take longer than the 5 s for which the provider is not asked again.
      expect(requests).toBeLessThanOrEqual(1 + Math.floor((Date.now() - began) / 5_000));
    } finally {
      await other.stop();
      broken.close();
    }
  });
});
