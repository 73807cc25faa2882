import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { maskAuditLog } from "../../../src/account/audit-log/mask-person.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { NumberMask } from "../../../src/kernel/mask-number.ts";
import { tenant } from "../../support/client.ts";

const NUMBER = "+13035550110";

/** Masks the number in an account's whole log, some entries at a time. */
async function masked(account: string): Promise<number> {
  const store = accountStore(env, account, { actor: "system:test", request_id: "" });
  let [count, after]: [number, string | null] = [0, ""];
  while (after !== null) {
    const step = await maskAuditLog(store, { mask: new NumberMask(NUMBER), visitor: null }, after, 2);
    [count, after] = [count + step.masked, step.next];
  }
  return count;
}

describe("a number in the audit log", () => {
  it("an erased number is masked in the audit log, where actor and action stay", async () => {
    const [who, other] = [await tenant(), await tenant()];
    for (const { server } of [who, other]) {
      await server.post("/api/v1/do-not-call", { numbers: [NUMBER] });
      await server.post("/api/v1/do-not-call", { numbers: ["+13035550199"] });
    }
    const log = async ({ server }: typeof who) =>
      (await server.get<{ entries: Record<string, unknown>[] }>("/api/v1/audit-log?resource=do_not_call")).body;
    const before = JSON.stringify(await log(who));
    expect(before).toContain(NUMBER);
    expect(await masked(who.account)).toBe(1);
    expect(JSON.stringify(await log(who))).toBe(before.replaceAll(NUMBER, "[PHONE]"));
    expect(await masked(who.account)).toBe(0);
    expect(JSON.stringify(await log(other))).toContain(NUMBER);
  });
});
