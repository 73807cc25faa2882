import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newUser, operator } from "../../support/client.ts";
import type { Person } from "../../support/person.ts";
import { emptyAccount, memberAs, membersOf, outcome } from "./support.ts";

const change = (by: Person, { id }: { id: string }, role: string) =>
  by.client.patch(`/api/v1/members/${id}`, { role }).then(outcome);
const remove = (by: Person, { id }: { id: string }) => by.client.delete(`/api/v1/members/${id}`).then(outcome);
const ownersOf = async (account: string) => {
  const { results } = await env.DB.prepare("SELECT id FROM users WHERE account = ? AND role = 'owner'")
    .bind(account)
    .all();
  return results.length;
};
const LAST = "409 last_owner";

describe("the last owner who can sign in", () => {
  it("can neither change roles nor be removed", async () => {
    const account = await emptyAccount();
    const owner = await memberAs(account, "owner");
    await memberAs(account, "admin");
    expect(await change(owner, owner, "admin")).toBe(LAST);
    expect(await remove(owner, owner)).toBe(LAST);
    expect(await change(owner, owner, "owner")).toBe("200");
    const second = await memberAs(account, "owner");
    expect(await change(owner, owner, "admin")).toBe("200");
    expect(await remove(second, second)).toBe(LAST);
  });

  it("owners who cannot sign in do not replace the last owner who can", async () => {
    const account = await emptyAccount();
    const owner = await memberAs(account, "owner");
    const [without, elsewhere] = [await newUser(account, "owner"), await memberAs(account, "owner")];
    await env.DB.prepare("UPDATE users SET source = 'oidc' WHERE account = ? AND id = ?")
      .bind(account, elsewhere.id)
      .run();
    expect(await change(owner, owner, "viewer")).toBe(LAST);
    expect(await remove(owner, owner)).toBe(LAST);
    // The owners who cannot sign in may be changed and removed.
    expect(await change(owner, without, "viewer")).toBe("200");
    expect(await remove(owner, elsewhere)).toBe("204");
  });

  it("may be removed by operators", async () => {
    const account = await emptyAccount();
    const owner = await memberAs(account, "owner");
    const answer = await (await operator()).delete(`/api/admin/v1/accounts/${account}/users/${owner.id}`);
    expect(answer.status).toBe(204);
    expect(await ownersOf(account)).toBe(0);
  });
});

describe("two owners at once", () => {
  const acts = { demote: (by: Person, other: Person) => change(by, other, "viewer"), remove } as const;
  for (const [name, act] of Object.entries(acts)) {
    it(`${name} each other: one of them stays an owner`, async () => {
      for (let round = 0; round < 5; round++) {
        const account = await emptyAccount();
        const [one, two] = [await memberAs(account, "owner"), await memberAs(account, "owner")];
        const answers = await Promise.all([act(one, two), act(two, one)]);
        expect(answers.filter((answer) => answer.startsWith("2")).length).toBe(1);
        expect(await ownersOf(account)).toBe(1);
      }
    });
  }

  it("cannot both leave at once", async () => {
    for (let round = 0; round < 5; round++) {
      const account = await emptyAccount();
      const [one, two] = [await memberAs(account, "owner"), await memberAs(account, "owner")];
      const answers = await Promise.all([remove(one, one), change(two, two, "viewer")]);
      expect(answers.filter((answer) => answer === LAST).length).toBe(1);
      expect(await ownersOf(account)).toBe(1);
    }
  });

  it("who demote each other beside a third owner: the one demoted first changes nothing", async () => {
    for (let round = 0; round < 5; round++) {
      const account = await emptyAccount();
      const [one, two, third] = [
        await memberAs(account, "owner"),
        await memberAs(account, "owner"),
        await memberAs(account, "owner"),
      ];
      await Promise.all([change(one, two, "viewer"), change(two, one, "viewer")]);
      const roles = (await membersOf(third.client)).map(({ role }) => role).sort();
      expect(roles).toEqual(["owner", "owner", "viewer"]);
    }
  });
});
