import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";

const PROVIDERS = "/api/v1/telephony/providers";

describe("the security of numbers and credentials", () => {
  it("a number cannot refer to anything of another account", async () => {
    const [one, other] = [await tenant(), await tenant()];
    const credentials = await other.server.post<{ id: string }>(PROVIDERS, { provider: "sandbox", credentials: {} });
    const agent = await other.server.post<{ id: string }>("/api/v1/agents", { name: "Theirs" });
    for (const foreign of [{ credentials_id: credentials.body.id }, { agent_id: agent.body.id }]) {
      const body = { e164: "+12025550100", provider: "sandbox", ...foreign };
      expect((await one.server.post("/api/v1/telephony/numbers", body)).code).toBe("unknown_reference");
    }
  });

  it("neither a response nor the database shows credentials in plain text", async () => {
    const { server, account } = await tenant();
    const created = await server.post(PROVIDERS, { provider: "sandbox", credentials: {} });
    expect(Object.keys(created.body as object)).not.toContain("credentials");
    expect(JSON.stringify((await server.get(PROVIDERS)).body)).not.toContain('"credentials"');
    const row = await env.DB.prepare("SELECT credentials FROM telephony_providers WHERE account = ?")
      .bind(account)
      .first<{ credentials: string }>();
    expect(row?.credentials).toBeTruthy();
    expect(row?.credentials).not.toContain("{}");
  });

  it("an error about credentials never repeats what was sent", async () => {
    const { server } = await tenant();
    const secret = "sup3r-s3cret-value";
    const body = { provider: "sandbox", credentials: { auth_token: secret, nested: { token: secret } } };
    const refused = await server.post(PROVIDERS, body);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).not.toContain(secret);
  });
});
