import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DeletionStore } from "../../../src/kernel/db/deletion-store.ts";
import { accountDeletion } from "../../../src/kernel/durable/objects.ts";
import { happening, take } from "../../records/events/support.ts";
import { operator } from "../../support/client.ts";
import { mortal } from "../../support/mortal.ts";
import { brokenObject, failingObject } from "./broken-object.ts";
import { fullAccount } from "./full.ts";
import {
  completed,
  contentOf,
  type Deletion,
  deletionPath,
  filesOf,
  heldForAnHour,
  hurry,
  idsOf,
  leftOf,
  scheduled,
} from "./support.ts";

afterEach(() => vi.restoreAllMocks());

/** More runs than a deletion needs that is interrupted at each of its calls. */
const MOST_RUNS = 300;

/** Returns what the deletion is about to store: its next step, and the class of objects there. */
function positionToStore(): () => string {
  const { note } = DeletionStore.prototype;
  let position = "";
  vi.spyOn(DeletionStore.prototype, "note").mockImplementation(async function (this: DeletionStore, ...args) {
    const [, step, cursor] = args;
    position = `${step} ${(cursor as { binding?: string } | null)?.binding ?? ""}`;
    await note.apply(this, args).finally(() => {
      position = "";
    });
  });
  return () => position;
}

describe("a deletion whose process crashes", () => {
  it("leaves nothing and completes once if its process crashes at each of its calls", async () => {
    const { account } = await fullAccount();
    const known = await idsOf(account);
    const files = (await filesOf(account)).length;
    const stub = accountDeletion(env, account) as DurableObjectStub;
    await scheduled(account);
    const process = await mortal(stub, { step: positionToStore() });
    let isRunning = true;
    for (let runs = 0; isRunning; runs++) {
      expect(runs).toBeLessThan(MOST_RUNS);
      const isRepeated = await process.hasDied();
      if (isRepeated) await process.restart();
      // The platform repeats the alarm of a process that died; nothing else wakes the deletion then.
      await hurry(account, !isRepeated);
      if (isRepeated) expect(process.calls()).toBeGreaterThan(0);
      isRunning = (await process.hasDied()) || (await deletionOf(account)).status !== "complete";
    }
    // Fewer deaths mean that the calls were no longer noticed.
    expect(process.deaths.size).toBeGreaterThan(100);
    expect(await leftOf(account, known)).toEqual([]);
    expect((await deletionOf(account)).deleted.files).toBeLessThanOrEqual(files);
    const entries = "SELECT count(*) AS n FROM audit_log WHERE about_account = ? AND action = 'delete'";
    expect(await env.DB.prepare(entries).bind(account).first()).toEqual({ n: 1 });
  });
});

describe("a deletion", () => {
  it("continues after an object or a bucket failed for a while", async () => {
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

  it.each(["CAMPAIGN", "CONVERSATION", "ACCOUNT_LEDGER"])(
    "a deletion whose %s object cannot be restarted deletes everything else and completes later",
    async (binding) => {
      const { account } = await fullAccount();
      const known = await idsOf(account);
      const [, broken] = known.find(([name]) => name === binding) ?? [];
      if (!broken) throw new Error(`the account has no ${binding}`);
      const repair = failingObject(broken);
      await scheduled(account);
      const held = { object: `${binding} ${broken.name}`, since: expect.any(String) };
      const reaches = (step: string, held_by: object[]) =>
        vi.waitFor(
          async () => {
            await hurry(account);
            expect(await deletionOf(account)).toMatchObject({ status: "running", step, held_by });
          },
          { interval: 20 },
        );
      await reaches("objects", [Object.assign({ step: "objects" }, held)]);
      // Within the first hour, the deletion does not go on without the failing object.
      await hurry(account);
      expect((await deletionOf(account)).step).toBe("objects");
      await heldForAnHour(account);
      await reaches("last_objects", [Object.assign({ step: "last_objects" }, held)]);
      await hurry(account);
      expect((await deletionOf(account)).status).toBe("running");
      const others = known.filter(([, id]) => !id.equals(broken));
      expect(await leftOf(account, others)).toEqual([]);
      repair();
      expect((await completed(account)).held_by).toEqual([]);
      expect(await leftOf(account, known)).toEqual([]);
    },
  );

  it("leaves nothing of a message that reaches an emptied object late", async () => {
    const { account } = await fullAccount();
    const known = await idsOf(account);
    const [, campaign] = known.find(([name]) => name === "CAMPAIGN") ?? [];
    if (!campaign) throw new Error("the account has no campaign");
    const repair = failingObject(campaign);
    await scheduled(account);
    await vi.waitFor(
      async () => {
        await hurry(account);
        await heldForAnHour(account);
        expect((await deletionOf(account)).step).toBe("last_objects");
      },
      { interval: 20 },
    );
    repair();
    await hurry(account);
    expect(await contentOf(["CAMPAIGN", campaign])).toEqual([]);
    await take(account, [happening(1, "opt_out.added", new Date().toISOString())]);
    await completed(account);
    expect(await leftOf(account, known)).toEqual([]);
  });

  it("names the step that a failing bucket blocks", async () => {
    const { account } = await fullAccount();
    await scheduled(account);
    const bucket = Object.getPrototypeOf(env.RECORDINGS) as R2Bucket;
    const failing = vi.spyOn(bucket, "delete").mockRejectedValue(new Error("R2 is away"));
    await vi.waitFor(async () => {
      await hurry(account);
      expect((await deletionOf(account)).held_by).toEqual([{ step: "files", object: null, since: expect.any(String) }]);
    });
    failing.mockRestore();
    expect((await completed(account)).held_by).toEqual([]);
  });
});

async function deletionOf(account: string): Promise<Deletion> {
  return (await (await operator()).get<Deletion>(deletionPath(account))).body;
}
