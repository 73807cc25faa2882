import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { operator, tenant } from "../../support/client.ts";
import { log, operatorsLog } from "./support.ts";

const SECRETS = {
  prompt: "prompt-of-the-house",
  code: "code-of-the-house",
  credential: "token-of-the-carrier",
  integration: "secret-of-the-integration",
  password: "password-of-ann",
};

describe("the audit log", () => {
  it("shows an account only its own entries, whatever it requests", async () => {
    const [one, other] = [await tenant(), await tenant()];
    await one.user.post("/api/v1/agents", { name: "theirs" });
    const theirs = await log(one.user);
    for (const query of [
      "limit=100",
      "action=create&limit=100",
      `resource=agent&actor=${encodeURIComponent(theirs[0]?.actor ?? "")}`,
      `actor=${encodeURIComponent(theirs[0]?.actor ?? "")}`,
      "since=2000-01-01T00:00:00Z&limit=100",
    ]) {
      const ids = (await log(other.user, query)).map(({ id }) => id);
      expect(theirs.filter(({ id }) => ids.includes(id))).toEqual([]);
    }
  });

  it("contains no secret, prompt or code, as shown and as stored", async () => {
    const { user, server, account, key } = await tenant();
    const admin = await operator();
    const { id } = (await user.post<{ id: string }>("/api/v1/agents", { name: "A", system_prompt: "x" })).body;
    await user.patch(`/api/v1/agents/${id}`, { system_prompt: SECRETS.prompt, greeting_message: SECRETS.prompt });
    await user.put("/api/v1/tools/send_sms", {
      implementation_code: SECRETS.code,
      implementation_config: { url: `https://hook.example.com/${SECRETS.code}` },
    });
    await user.put(`/api/v1/agents/${id}/tools`, { tool_name: "send_sms" });
    await user.put(`/api/v1/agents/${id}/tools`, { tool_name: "send_sms", config: { token: SECRETS.code } });
    await user.post("/api/v1/telephony/providers", {
      provider: "twilio",
      credentials: { account_sid: "AC1", auth_token: SECRETS.credential },
    });
    const installed = await user.post("/api/v1/integrations/slack/install", {
      params: { channel: SECRETS.integration },
      secrets: { bot_token: SECRETS.integration },
    });
    expect(installed.status).toBe(200);
    await user.patch(`/api/v1/api-keys/${key.id}`, { name: "renamed", disabled: false });
    await admin.post(`/api/admin/v1/accounts/${account}/users`, { email: "a@b.example", password: SECRETS.password });
    const shown = await log(server);
    const changes = Object.fromEntries(
      shown.toReversed().map((entry) => [`${entry.action} ${entry.resource}`, entry.changes]),
    );
    expect(changes).toMatchObject({
      "update agent": { system_prompt: null, greeting_message: null },
      "update tool": { implementation_code: null, implementation_config: null },
      "set_tool agent": { config: null },
      "create telephony_provider": null,
      "install integration": { params: null, secrets: null },
      "update api_key": { name: null },
      "create user": null,
    });
    const stored = await env.DB.prepare("SELECT * FROM audit_log WHERE account = ?").bind(account).all();
    const everything = JSON.stringify([shown, stored.results, await operatorsLog(admin, `account=${account}`)]);
    for (const secret of [...Object.values(SECRETS), key.key]) expect(everything).not.toContain(secret);
  });
});
