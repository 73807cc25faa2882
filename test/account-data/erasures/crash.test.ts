import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { hasTable } from "../../../src/kernel/durable/migrate.ts";
import { erasureObject } from "../../../src/kernel/durable/objects.ts";
import { tenant } from "../../support/client.ts";
import { newId } from "../../support/ids.ts";
import { mortal } from "../../support/mortal.ts";
import { planted } from "./planted.ts";
import { digitsOf, erased, hurry, newNumber, PATH, type Receipt, standsIn } from "./support.ts";

/** Counts that a crash before they are stored can lose, because deleted or masked rows are not found again. */
const MASKED = ["tool_runs", "opt_outs", "mentions", "events", "audit_entries", "other_records"];

/** More runs than an erasure needs that is interrupted at each of its calls. */
const MOST_RUNS = 200;

afterEach(() => vi.restoreAllMocks());

describe("an erasure whose process crashes", () => {
  it("leaves nothing and counts nothing twice if its process crashes at each of its calls", async () => {
    const [whole, who] = [await tenant(), await tenant()];
    const number = newNumber();
    for (const one of [whole, who]) await planted(one, number);
    const { counts: counted } = await erased(whole, { phone_number: number });
    const id = newId();
    const stub = erasureObject(env, who.account, id);
    const process = await mortal(stub as DurableObjectStub, { methods: ["alarm", "begin"], step: stepOf });
    const begin = () => stub.begin({ phone_number: number }, { actor: "test", request_id: "test" });
    while (!(await begin().catch(() => false))) await process.restart();
    const receipt = async () => (await who.server.get<Receipt>(`${PATH}/${id}`)).body;
    for (let runs = 0; (await process.hasDied()) || (await receipt()).status !== "complete"; runs++) {
      expect(runs).toBeLessThan(MOST_RUNS);
      if (await process.hasDied()) await process.restart();
      expect(await isArmed(stub as DurableObjectStub)).toBe(true);
      await hurry(who, id);
    }
    // Fewer deaths mean that the calls were no longer noticed.
    expect(process.deaths.size).toBeGreaterThan(80);
    expect(await standsIn(digitsOf(number), [], [who.account])).toEqual([]);
    for (const [kind, count] of Object.entries((await receipt()).counts))
      if (MASKED.includes(kind)) expect(count, kind).toBeLessThanOrEqual(counted[kind] ?? 0);
      else expect([kind, count]).toEqual([kind, counted[kind]]);
    const entries =
      "SELECT count(*) AS n FROM audit_log WHERE account = ? AND resource = 'erasure' AND resource_id = ?";
    expect(await env.DB.prepare(entries).bind(who.account, id).first()).toEqual({ n: 1 });
  });
});

/** Returns the step of an erasure, with the round of those steps that find more in another round. */
function stepOf(storage: DurableObjectStorage): string {
  if (!hasTable(storage, "job")) return "";
  const [job] = storage.sql
    .exec<Record<string, string | number>>("SELECT step, round, completed_at FROM job")
    .toArray();
  if (!job) return "";
  if (job.completed_at !== null) return "complete";
  return job.step === "records" || job.step === "events" ? `${job.step} ${job.round}` : `${job.step}`;
}

function isArmed(stub: DurableObjectStub): Promise<boolean> {
  return runInDurableObject(stub, async (_, { storage }) => (await storage.getAlarm()) !== null);
}
