import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { STEP_NAMES } from "../../../src/account-data/deletion/steps/index.ts";
import { DeletionStore } from "../../../src/kernel/db/deletion-store.ts";
import { accountDeletion } from "../../../src/kernel/durable/objects.ts";
import { happening, take } from "../../records/events/support.ts";
import { operator } from "../../support/client.ts";
import { restarted } from "../crashed.ts";
import { brokenObject, failingObject } from "./broken-object.ts";
import { fullAccount } from "./full.ts";
import {
  completed,
  contentOf,
  type Deletion,
  deletionPath,
  heldForAnHour,
  hurry,
  idsOf,
  leftOf,
  scheduled,
} from "./support.ts";

afterEach(() => vi.restoreAllMocks());

type Point = [step: string, note: number];

/** Makes these notes fail, as if the process had died between the work and its note; returns how many are left. */
function dieAt(points: Point[]): () => number {
  const { note } = DeletionStore.prototype;
  const left = new Set(points.map(String));
  const notes = new Map<string, number>();
  vi.spyOn(DeletionStore.prototype, "note").mockImplementation(async function (this: DeletionStore, ...args) {
    const step = (await this.get())?.step ?? "";
    const n = notes.get(step) ?? 0;
    notes.set(step, n + 1);
    if (left.delete(String([step, n]))) throw new Error("the process died");
    return note.apply(this, args);
  });
  return () => left.size;
}

const CRASHES: [when: string, points: Point[]][] = [
  ["before the first note of every step", STEP_NAMES.map((step): Point => [step, 0])],
  // These points are in the second walk through the objects, and in the middle of the rows.
  [
    "in the middle of the objects and of the rows",
    [
      ["objects", 20],
      ["rows", 30],
    ],
  ],
];

describe("a deletion whose process crashes", () => {
  it.each(CRASHES)("a deletion that crashes %s leaves nothing", async (_, points) => {
    const { account } = await fullAccount();
    const known = await idsOf(account);
    await scheduled(account);
    const left = dieAt(points);
    for (let after = points.length - 1; after >= 0; after--) {
      await vi.waitFor(async () => {
        await hurry(account);
        expect(left()).toBe(after);
      });
      await restarted(accountDeletion(env, account) as DurableObjectStub);
    }
    await completed(account);
    expect(await leftOf(account, known)).toEqual([]);
  });

  it("completes once if it crashes before it is recorded as complete", async () => {
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
      const mend = failingObject(broken);
      await scheduled(account);
      const held = { object: `${binding} ${broken.name}`, since: expect.any(String) };
      const reaches = (step: string, held_by: object[]) =>
        vi.waitFor(
          async () => {
            await hurry(account);
            expect(await deletionOf(account)).toMatchObject({ status: "running", step, held_by });
          },
          { timeout: 60_000, interval: 20 },
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
      mend();
      expect((await completed(account)).held_by).toEqual([]);
      expect(await leftOf(account, known)).toEqual([]);
    },
  );

  it("leaves nothing of a message that reaches an emptied object late", async () => {
    const { account } = await fullAccount();
    const known = await idsOf(account);
    const [, campaign] = known.find(([name]) => name === "CAMPAIGN") ?? [];
    if (!campaign) throw new Error("the account has no campaign");
    const mend = failingObject(campaign);
    await scheduled(account);
    await vi.waitFor(
      async () => {
        await hurry(account);
        await heldForAnHour(account);
        expect((await deletionOf(account)).step).toBe("last_objects");
      },
      { timeout: 60_000, interval: 20 },
    );
    mend();
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
