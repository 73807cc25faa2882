import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AccountGate } from "../../../src/account/gate/account-gate.ts";
import { KnowledgeBase } from "../../../src/agent/knowledge/object/knowledge-base.ts";
import { accountGate, knowledgeBase } from "../../../src/kernel/durable/objects.ts";
import { DAY_MS } from "../../../src/kernel/time.ts";
import { erased, newNumber } from "../../account-data/erasures/support.ts";
import { advanceClock } from "../../conversation/runtime/conversing.ts";
import { tenant } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { spyIn } from "../../support/spy-in.ts";
import { addText, type DocumentBody, readyText, search, settled } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const quietly = () => vi.spyOn(console, "error").mockImplementation(() => {});

/** Makes the first deletion of an original fail after `before`, as if the process had died then. */
function failsToDelete(original: string, before: () => Promise<unknown> = async () => {}): void {
  quietly();
  const bucket = Object.getPrototypeOf(env.DOCUMENTS) as R2Bucket;
  const { delete: remove } = bucket;
  let hasFailed = false;
  vi.spyOn(bucket, "delete").mockImplementation(async function (this: R2Bucket, keys) {
    if (hasFailed || ![keys].flat().includes(original)) return remove.call(this, keys);
    hasFailed = true;
    await before();
    throw new Error("R2 is away");
  });
}

describe("a document whose request was interrupted", () => {
  it("is read once its content is sent again", async () => {
    quietly();
    const { server, account } = await tenant();
    const document = { title: "Hours", text: "Open on Mondays." };
    spyIn(knowledgeBase(env, account), KnowledgeBase, "process").mockRejectedValueOnce(new Error("the process died"));
    expect((await server.post("/api/v1/knowledge", document)).status).toBe(500);
    const { status, body } = await server.post<DocumentBody>("/api/v1/knowledge", document);
    expect([status, body.status]).toEqual([202, "processing"]);
    expect(await settled(server, body.id)).toMatchObject({ status: "ready", chunks: 1 });
  });

  it("keeps its original if it was stored although the response of the database was lost", async () => {
    quietly();
    const { server, account } = await tenant();
    const { configure } = AccountGate.prototype;
    const gate = spyIn(accountGate(env, account), AccountGate, "configure");
    gate.mockImplementationOnce(async function (this: unknown, ...args) {
      await Reflect.apply(configure, this, args);
      throw new Error("the response was lost");
    });
    const { id } = await addText(server, "Hours", "Open on Mondays.");
    expect(await settled(server, id)).toMatchObject({ status: "ready", chunks: 1 });
  });
});

describe("the original of a document", () => {
  it("is deleted by an erasure of a number in its text that was interrupted before the deletion", async () => {
    const who = await tenant();
    const number = newNumber();
    const { id } = await readyText(who.server, "Contacts", `Ask for Ada at ${number}.`);
    failsToDelete(`${who.account}/${id}`);
    await erased(who, { phone_number: number });
    expect(await env.DOCUMENTS.head(`${who.account}/${id}`)).toBeNull();
    expect((await search(who.server, "ada"))[0]?.text).toContain("[PHONE]");
  });

  it("is deleted within a day if the deletion of its document was interrupted", async () => {
    const { server, account } = await tenant();
    const { id } = await readyText(server, "Hours", "Open.");
    // If the text is removed at the same time, it is gone first.
    const isGone = async () => expect(await knowledgeBase(env, account).states([id])).toEqual([]);
    failsToDelete(`${account}/${id}`, () => vi.waitFor(isGone, { timeout: 100, interval: 10 }).catch(() => {}));
    expect((await server.delete(`/api/v1/knowledge/${id}`)).status).toBe(500);
    expect(await env.DOCUMENTS.head(`${account}/${id}`)).not.toBeNull();
    const object = knowledgeBase(env, account) as unknown as DurableObjectStub;
    advanceClock(DAY_MS + 1_000);
    await evict(object);
    await runDurableObjectAlarm(object);
    expect(await env.DOCUMENTS.head(`${account}/${id}`)).toBeNull();
  });
});
