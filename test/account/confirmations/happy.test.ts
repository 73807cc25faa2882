import { describe, expect, it } from "vitest";
import { apiKey, consoleUser, tenant } from "../../support/client.ts";
import { CALL, confirmationOf, taken } from "./support.ts";

const KEYS = "/api/v1/api-keys";

describe("a confirmation", () => {
  it("shows whom an assistant would call, and lets it call once after a member agrees", async () => {
    const owner = await tenant();
    const confirmation = await confirmationOf(owner);
    expect(confirmation.url).toMatch(new RegExp(`/console/confirmations/${confirmation.id}$`));
    const path = `/api/v1/confirmations/${confirmation.id}`;
    expect((await owner.user.get(path)).body).toEqual({
      id: confirmation.id,
      tool: "place_call",
      scope: "dial",
      summary: "Call +13035550110 with the agent Reception",
      effect: CALL.effect,
      key: { id: owner.key.id, name: "test" },
      status: "pending",
      expires_at: confirmation.expires_at,
    });
    expect(await taken(owner, confirmation.confirm)).toBe("not_approved");
    const operator = await consoleUser(owner.account, "operator");
    expect((await operator.post(`${path}/approve`)).body).toMatchObject({ status: "approved" });
    expect((await owner.user.post(`${path}/approve`)).status).toBe(200);
    expect(await taken(owner, confirmation.confirm)).toBe("taken");
    expect(await taken(owner, confirmation.confirm)).toBe("unknown");
    expect((await owner.user.get(path)).body).toMatchObject({ status: "taken" });
    const log = await owner.user.get<{ entries: { resource_id: string; action: string; actor_name: string | null }[] }>(
      "/api/v1/audit-log?resource=confirmation",
    );
    expect(log.body.entries).toMatchObject([
      { action: "approve", resource_id: confirmation.id },
      { action: "approve", resource_id: confirmation.id },
    ]);
  });

  it("declining a confirmation is final, even after it was approved", async () => {
    const owner = await tenant();
    const { id, confirm } = await confirmationOf(owner);
    await owner.user.post(`/api/v1/confirmations/${id}/approve`);
    expect((await owner.user.post(`/api/v1/confirmations/${id}/decline`)).body).toMatchObject({ status: "declined" });
    expect((await owner.user.post(`/api/v1/confirmations/${id}/approve`)).code).toBe("confirmation_declined");
    expect(await taken(owner, confirm)).toBe("declined");
    expect(await taken(owner, confirm, { answered: "yes" })).toBe("declined");
  });

  it("needs no approval on the page if the client's user agreed, or the key is unattended", async () => {
    const owner = await tenant();
    expect(await taken(owner, (await confirmationOf(owner)).confirm, { answered: "yes" })).toBe("taken");
    const { confirm } = await confirmationOf(owner);
    await owner.user.patch(`${KEYS}/${owner.key.id}`, { unattended: true });
    expect(await taken(owner, confirm)).toBe("taken");
    const again = await confirmationOf(owner);
    await owner.user.patch(`${KEYS}/${owner.key.id}`, { unattended: false });
    expect(await taken(owner, again.confirm)).toBe("not_approved");
  });

  it("shows whether a key's scopes were chosen and whether it is unattended, and audits both changes", async () => {
    const { user, account } = await tenant();
    const { id } = (await user.post<{ id: string }>(KEYS, { name: "defaults" })).body;
    const shown = async () =>
      (await user.get<{ id: string; scopes: string[] }[]>(KEYS)).body.find((key) => key.id === id);
    expect(await shown()).toMatchObject({ scopes_named: false, unattended: false });
    const { scopes } = (await shown()) ?? { scopes: [] };
    expect((await user.patch(`${KEYS}/${id}`, { scopes_named: true, unattended: true })).status).toBe(204);
    expect(await shown()).toMatchObject({ scopes, scopes_named: true, unattended: true });
    const log = await user.get<{ entries: { changes: unknown }[] }>("/api/v1/audit-log?resource=api_key&action=update");
    expect(log.body.entries[0]?.changes).toEqual({ scopes_named: null, unattended: { from: false, to: true } });
    const named = await apiKey(user, { scopes: ["dial"] });
    expect(account).not.toBe("");
    expect((await user.get<{ id: string }[]>(KEYS)).body.find((key) => key.id === named.id)).toMatchObject({
      scopes_named: true,
      unattended: false,
    });
  });
});
