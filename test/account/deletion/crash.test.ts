import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { STEP_NAMES } from "../../../src/account/deletion/steps/index.ts";
import { DeletionStore } from "../../../src/kernel/db/deletion-store.ts";
import { accountDeletion } from "../../../src/kernel/durable/objects.ts";
import { brokenObject } from "./broken-object.ts";
import { fullAccount } from "./full.ts";
import { completed, hurry, idsOf, leftOf, scheduled } from "./support.ts";

afterEach(() => vi.restoreAllMocks());

/** Has the n-th note of a step fail, as if the process had died between the step's work and its note. */
function dieAt(step: string, n: number): { died: () => boolean } {
  const { note } = DeletionStore.prototype;
  let [notes, died] = [0, false];
  vi.spyOn(DeletionStore.prototype, "note").mockImplementation(async function (this: DeletionStore, ...args) {
    const row = await this.get();
    if (!died && row?.step === step && notes++ === n) {
      died = true;
      throw new Error("the process died");
    }
    return note.apply(this, args);
  });
  return { died: () => died };
}

const POINTS: [step: string, note: number][] = [
  ...STEP_NAMES.map((step): [string, number] => [step, 0]),
  // In the second walk through the objects, and in the midst of the rows.
  ["objects", 20],
  ["rows", 30],
];

describe("a deletion whose process dies", () => {
  it.each(POINTS)("in the step %s, before note %i, leaves nothing", async (...point) => {
    const { account } = await fullAccount();
    const known = await idsOf(account);
    await scheduled(account);
    const death = dieAt(...point);
    await vi.waitFor(async () => {
      await hurry(account);
      expect(death.died()).toBe(true);
    });
    await evictDurableObject(accountDeletion(env, account) as DurableObjectStub);
    await completed(account);
    expect(await leftOf(account, known)).toEqual([]);
  });

  it("before it is on record as complete, completes it once", async () => {
    const { account } = await fullAccount();
    await scheduled(account);
    const complete = vi.spyOn(DeletionStore.prototype, "complete").mockRejectedValueOnce(new Error("the process died"));
    await completed(account);
    expect(complete.mock.calls.length).toBeGreaterThan(1);
    const entries = "SELECT count(*) AS n FROM audit_log WHERE about_account = ? AND action = 'delete'";
    expect(await env.DB.prepare(entries).bind(account).first()).toEqual({ n: 1 });
  });
});

describe("a deletion", () => {
  it("goes on where an object or a bucket failed for a while", async () => {
    const { account } = await fullAccount();
    const known = await idsOf(account);
    await scheduled(account);
    const failures = brokenObject(3);
    vi.spyOn(Object.getPrototypeOf(env.RECORDINGS) as R2Bucket, "delete").mockRejectedValueOnce(
      new Error("R2 is away"),
    );
    await completed(account);
    expect(failures()).toBe(3);
    expect(await leftOf(account, known)).toEqual([]);
  });
});
