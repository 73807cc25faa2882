import { describe, expect, it } from "vitest";
import { apiKey, consoleUser, tenant } from "../../support/client.ts";
import { person } from "../../support/person.ts";
import { CALL, confirmationOf, principalOf, taken } from "./support.ts";

const KEYS = "/api/v1/api-keys";
const at = (id: string, verb = "") => `/api/v1/confirmations/${id}${verb}`;

describe("a confirmation", () => {
  it("confirms only the requested act, for the requesting key", async () => {
    const owner = await tenant();
    const { confirm } = await confirmationOf(owner);
    const answered = "yes" as const;
    expect(await taken(owner, confirm, { answered, tool: "start_campaign" })).toBe("changed");
    const other = { to_number: "+13035550111", agent: "Reception" };
    expect(await taken(owner, confirm, { answered, arguments: other })).toBe("changed");
    expect(await taken(owner, confirm, { answered, effect: { ...CALL.effect, count: 2 } })).toBe("changed");
    const another = { account: owner.account, key: await apiKey(owner.user, { scopes: ["dial"] }) };
    expect(await taken(another, confirm, { answered })).toBe("unknown");
    expect(await taken(await tenant(), confirm, { answered })).toBe("unknown");
    expect(await taken(owner, `${confirm}x`, { answered })).toBe("unknown");
    expect(await taken(owner, confirm, { answered, arguments: { ...CALL.arguments, confirm } as never })).toBe("taken");
  });

  it("exactly one of many concurrent requests uses a confirmation", async () => {
    const owner = await tenant();
    const { confirm } = await confirmationOf(owner);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => taken(owner, confirm, { answered: "yes" })));
    expect(outcomes.filter((outcome) => outcome === "taken")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "unknown")).toHaveLength(7);
  });

  it("cannot be read or approved by an API key, not even an unattended one", async () => {
    const owner = await tenant();
    await owner.user.patch(`${KEYS}/${owner.key.id}`, { unattended: true });
    const { id } = await confirmationOf(owner);
    expect((await owner.server.get(at(id))).code).toBe("console_required");
    expect((await owner.server.post(at(id, "/approve"))).code).toBe("console_required");
    expect((await owner.server.patch(`${KEYS}/${owner.key.id}`, { unattended: true })).code).toBe("console_required");
    expect((await owner.server.post(KEYS, { name: "own", unattended: true })).code).toBe("console_required");
  });

  it("only members who may do the act can approve its confirmation", async () => {
    const owner = await tenant();
    const { id, confirm } = await confirmationOf(owner);
    for (const role of ["viewer", "analyst", "builder"] as const) {
      const member = await consoleUser(owner.account, role);
      expect((await member.post(at(id, "/approve"))).code).toBe("missing_scope");
      expect((await member.post(at(id, "/decline"))).code).toBe("missing_scope");
    }
    const viewer = await consoleUser(owner.account, "viewer");
    const shown = JSON.stringify((await viewer.get(at(id))).body);
    expect(shown).toContain("•••• 0110");
    expect(shown).not.toMatch(/3035550110|2025550100/);
    expect(JSON.stringify((await viewer.get(at(id))).body)).not.toContain(confirm);
    expect(await taken(owner, confirm)).toBe("not_approved");
    const builds = await apiKey(owner.user, { scopes: ["build"] });
    const asker = { account: owner.account, key: builds };
    await expect(confirmationOf(asker)).rejects.toMatchObject({ code: "missing_scope" });
  });

  it("a confirmation is void once its key is limited, disabled or expired", async () => {
    const owner = await tenant();
    const limited = { account: owner.account, key: await apiKey(owner.user, { scopes: ["dial", "listen"] }) };
    const confirmation = await confirmationOf(limited);
    await owner.user.post(at(confirmation.id, "/approve"));
    await owner.user.patch(`${KEYS}/${limited.key.id}`, { scopes: ["dial"] });
    expect(await taken(limited, confirmation.confirm)).toBe("unknown");
    expect((await owner.user.get(at(confirmation.id))).body).toMatchObject({ status: "expired" });
    expect((await owner.user.post(at(confirmation.id, "/approve"))).code).toBe("confirmation_expired");

    const before = await principalOf(limited);
    await owner.user.patch(`${KEYS}/${limited.key.id}`, { disabled: true });
    await expect(confirmationOf(limited, { as: before })).rejects.toMatchObject({ code: "key_revoked" });
  });

  it("does not count the approval of a member who may no longer do the act", async () => {
    const owner = await tenant();
    // Without this person, the owner would be the last one.
    await person(owner.account);
    const { id, client } = await person(owner.account);
    expect((await owner.user.patch(`/api/v1/members/${id}`, { role: "operator" })).status).toBe(200);
    const [first, second] = [await confirmationOf(owner), await confirmationOf(owner)];
    for (const confirmation of [first, second])
      expect((await client.post(at(confirmation.id, "/approve"))).body).toMatchObject({ status: "approved" });
    await owner.user.patch(`/api/v1/members/${id}`, { role: "analyst" });
    expect((await owner.user.get(at(first.id))).body).toMatchObject({ status: "pending" });
    expect(await taken(owner, first.confirm)).toBe("not_approved");
    await owner.user.delete(`/api/v1/members/${id}`);
    expect(await taken(owner, second.confirm)).toBe("not_approved");
    expect((await owner.user.post(at(first.id, "/approve"))).body).toMatchObject({ status: "approved" });
    expect(await taken(owner, first.confirm)).toBe("taken");
  });
});
