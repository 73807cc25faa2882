import { afterEach, describe, expect, it } from "vitest";
import { contactsCsv, upload } from "../../campaign/support.ts";
import { caller, originate } from "../../phone/calls/support.ts";
import { recordingOf } from "../../phone/recordings/support.ts";
import { breakActs, repairLedgers } from "../../support/broken-ledger.ts";
import { tenant } from "../../support/client.ts";
import { widgetTenant } from "../../support/widget.ts";
import { log } from "./support.ts";

afterEach(repairLedgers);

/** Things that are handed out: who hands them out, how they are requested, and what the log contains about it. */
const GIVEN_OUT = {
  "a campaign's contacts": () => campaignFile("export", "export"),
  "a campaign's history": () => campaignFile("history", "export_history"),
  "a campaign's rejects": () => campaignFile("rejects", "export_rejects"),
  "a recording's address": async () => {
    const who = await caller();
    const { body } = await originate(who, "+13035550110");
    const { id } = await recordingOf(who.server, body.call_id);
    return {
      ...who,
      request: () => who.server.get(`/api/v1/recordings/${id}/url`),
      nobody: () => who.server.get(`/api/v1/recordings/${crypto.randomUUID()}/url`),
      entry: { action: "create_url", resource: "recording", resource_id: id },
    };
  },
  "a visitor token": async () => {
    const who = await widgetTenant();
    const token = (client_key: string) =>
      who.server.post("/api/v1/widget/auth/user-token", { client_key, user_id: "user-7" });
    return {
      ...who,
      request: () => token(who.widgetKey.key),
      nobody: async () => {
        await who.user.patch(`/api/v1/widget-keys/${who.widgetKey.id}`, { disabled: true });
        return token(who.widgetKey.key);
      },
      entry: { action: "create", resource: "visitor_token", resource_id: "user-7" },
    };
  },
  "a session to try an agent": async () => {
    const who = await tenant();
    const { id } = (await who.server.post<{ id: string }>("/api/v1/agents", { name: "Ada" })).body;
    return {
      ...who,
      request: () => who.server.post(`/api/v1/agents/${id}/session`),
      nobody: () => who.server.post(`/api/v1/agents/${crypto.randomUUID()}/session`),
      entry: { action: "create", resource: "agent_session", resource_id: id },
    };
  },
};

async function campaignFile(file: string, action: string) {
  const who = await tenant();
  const { id } = (await upload(who.server, contactsCsv(2))).body;
  return {
    ...who,
    request: () => who.server.get(`/api/v1/campaigns/${id}/${file}`),
    nobody: () => who.server.get(`/api/v1/campaigns/${crypto.randomUUID()}/${file}`),
    entry: { action, resource: "campaign", resource_id: id },
  };
}

describe.each(Object.entries(GIVEN_OUT))("audit log: %s", (_, make) => {
  it("giving out an existing secret is audited each time", async () => {
    const { request, nobody, entry, server, key } = await make();
    const entries = () => log(server, `action=${entry.action}&resource=${entry.resource}&limit=100`);
    expect(await entries()).toEqual([]);
    for (let i = 0; i < 2; i++) expect((await request()).status).toBe(200);
    const whole = { ...entry, actor: `api_key:${key.id}`, changes: null };
    expect(await entries()).toMatchObject([whole, whole]);
    expect((await nobody()).status).toBeGreaterThanOrEqual(400);
    expect(await entries()).toHaveLength(2);
  });

  it("a secret is not given out if that cannot be audited", async () => {
    const { request, account } = await make();
    await breakActs(account);
    const refused = await request();
    expect([refused.status, refused.code]).toEqual([500, "internal"]);
    await repairLedgers();
    expect((await request()).status).toBe(200);
  });
});
