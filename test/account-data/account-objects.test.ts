import { listDurableObjectIds } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { OPERATOR_ACCOUNT } from "../../src/kernel/db/schema/index.ts";
import { accountStore } from "../../src/kernel/durable/account-stores.ts";
import type { ObjectBinding } from "../../src/kernel/stores/stores.ts";
import { Ledger } from "../../src/records/ledger/ledger.ts";
import { contactsCsv, started } from "../campaign/support.ts";
import { caller, originate } from "../phone/calls/support.ts";
import { conversation } from "../records/ledger/support.ts";
import { BINDINGS, objectsOf } from "../support/account-objects.ts";
import { tenant, tenantNames } from "../support/client.ts";
import { newId } from "../support/ids.ts";

const storeOf = (account: string) => accountStore(env, account, { actor: "system:test", request_id: "" });

/** Returns the names of an account's objects of a class. */
async function listed(account: string, binding: ObjectBinding): Promise<(string | undefined)[]> {
  const stubs = objectsOf(binding, { env, store: storeOf(account) });
  const names: (string | undefined)[] = [];
  for await (const { name } of stubs) names.push(name);
  return names;
}

/** Returns the ids of all objects. Test files share a runtime, so some objects may belong to earlier tests. */
async function allObjects(): Promise<Record<ObjectBinding, Set<string>>> {
  const idsOf = async (binding: ObjectBinding) =>
    (await listDurableObjectIds(env[binding] as DurableObjectNamespace)).map(String);
  const all = await Promise.all(BINDINGS.map(async (binding) => [binding, new Set(await idsOf(binding))]));
  return Object.fromEntries(all);
}

describe("the objects of an account", () => {
  it("an account's objects are all listed once calls, campaigns and retries have created them", async () => {
    const earlier = await allObjects();
    const who = await caller();
    const other = await tenant();
    const call = await originate(who, "+13035550110");
    await started(who, contactsCsv(2));
    await who.server.send("POST", "/api/v1/faqs", JSON.stringify({ question: "Open?", answer: "Yes." }), {
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    });
    await new Ledger({ env, store: storeOf(who.account) }).report([{ part: "hangup", id: call.body.call_id }]);
    const now = await allObjects();
    for (const binding of BINDINGS) {
      let unknown = now[binding].difference(earlier[binding]);
      // Accounts of earlier tests are listed only if one of them may have created an object meanwhile.
      for (const name of [who.account, other.account, OPERATOR_ACCOUNT, ...tenantNames]) {
        if (unknown.size === 0) break;
        const ids = (await listed(name, binding)).map((object) => env[binding].idFromName(object ?? "").toString());
        unknown = unknown.difference(new Set(ids));
      }
      expect([binding, ...unknown]).toEqual([binding]);
    }
    const { account } = who;
    for (const binding of BINDINGS)
      for (const name of await listed(account, binding)) expect([name, name?.split("/")[0]]).toEqual([name, account]);
    expect(await listed(account, "CAMPAIGN")).toHaveLength(1);
    expect(await listed(account, "ACCOUNT_LEDGER")).toHaveLength(1);
    expect(await listed(account, "IDEMPOTENCY_STORE")).toHaveLength(16);
  });

  it("an account's objects contain a conversation from its first report until its turns are in R2", async () => {
    const { account } = await tenant();
    const ledger = new Ledger({ env, store: storeOf(account) });
    const rows = Array.from({ length: 501 }, () => conversation(newId(), { session_key: crypto.randomUUID() }));
    await ledger.report(rows.map((row) => ({ part: "conversation", row })));
    const names = () => listed(account, "CONVERSATION");
    expect((await names()).sort()).toEqual(rows.map(({ session_key }) => `${account}/${session_key}`).sort());
    const archived = rows.map((row) => Object.assign({}, row, { revision: 2, archived: true }));
    await ledger.report(archived.slice(1).map((row) => ({ part: "conversation", row })));
    expect(await names()).toEqual([`${account}/${rows[0]?.session_key}`]);
  });
});
