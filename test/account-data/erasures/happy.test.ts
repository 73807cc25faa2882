import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { held, TURNS } from "../../records/conversations/support.ts";
import { tenant } from "../../support/client.ts";
import { begun, completed, digitsOf, erased, newNumber, PATH, type Receipt, standsIn } from "./support.ts";

describe("the erasure of a person", () => {
  it("returns a pending receipt, then a complete one, which identifies no person", async () => {
    const who = await tenant();
    const phone_number = newNumber("43");
    await held(who, { phone_number }, TURNS);
    const answer = await who.server.post<Receipt>(PATH, { phone_number });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ status: "pending", subject: "phone_number", hint: "…43", completed_at: null });
    const receipt = await completed(who, answer.body.id);
    expect(receipt.counts).toMatchObject({ conversations: 1, recordings: 0 });
    expect(receipt.kept_by_restore.map(({ what, days }) => [what, days])).toEqual([
      ["database", 30],
      ["objects", 30],
    ]);
    expect(Date.parse(receipt.kept_by_restore[0]?.until ?? "") - Date.parse(receipt.completed_at ?? "")).toBe(
      30 * 86_400_000,
    );
    expect(await standsIn(digitsOf(phone_number))).toEqual([]);
    const list = await who.server.get<{ erasures: Receipt[]; total: number }>(PATH);
    expect(list.body).toMatchObject({ erasures: [receipt], total: 1 });
  });

  it("returns a receipt of zeros for an unknown person", async () => {
    const who = await tenant();
    for (const person of [
      { phone_number: newNumber() },
      { visitor_id: "nobody" },
      { conversation_id: crypto.randomUUID() },
    ]) {
      const receipt = await erased(who, person);
      expect(receipt.status).toBe("complete");
      expect(new Set(Object.values(receipt.counts))).toEqual(new Set([0]));
    }
  });

  it("an erasure is audited with its author, without the number", async () => {
    const who = await tenant();
    const phone_number = newNumber();
    const id = await begun(who, { phone_number });
    const { body } = await who.server.get<{ entries: Record<string, unknown>[] }>("/api/v1/audit-log?resource=erasure");
    expect(body.entries).toMatchObject([
      { action: "create", resource: "erasure", resource_id: id, actor: `api_key:${who.key.id}` },
    ]);
    expect(JSON.stringify(body)).not.toContain(digitsOf(phone_number));
    await completed(who, id);
  });

  it("begins once however often it is sent under an idempotency key", async () => {
    const who = await tenant();
    const headers = { "idempotency-key": "k", "content-type": "application/json" };
    const body = JSON.stringify({ phone_number: newNumber() });
    const [first, again] = [
      await who.server.send<Receipt>("POST", PATH, body, headers),
      await who.server.send<Receipt>("POST", PATH, body, headers),
    ];
    expect([first.status, again.status, again.body.id]).toEqual([202, 202, first.body.id]);
    expect((await who.server.get<{ total: number }>(PATH)).body.total).toBe(1);
    await completed(who, first.body.id);
  });
});

describe("an erasure that is not begun", () => {
  it.each([
    {},
    { phone_number: newNumber(), visitor_id: "v" },
    { phone_number: "0301234" },
    { conversation_id: "x" },
    { visitor_id: "" },
    { somebody: "x" },
  ])("an erasure is not begun for one of %j", async (person) => {
    const who = await tenant();
    expect((await who.server.post(PATH, person)).status).toBe(400);
    expect((await who.server.get<{ total: number }>(PATH)).body.total).toBe(0);
  });
});

describe("more than twenty erasures at once", () => {
  it("an erasure beyond twenty at once is refused without delaying other accounts", async () => {
    const [who, other] = [await tenant(), await tenant()];
    const rows = Array.from({ length: 20 }, () =>
      env.DB.prepare(
        "INSERT INTO erasures (account, id, status, subject, counts, created_at) VALUES (?, ?, 'pending', 'visitor_id', '{}', ?)",
      ).bind(who.account, crypto.randomUUID(), new Date().toISOString()),
    );
    await env.DB.batch(rows);
    const refused = await who.server.post(PATH, { visitor_id: "somebody" });
    expect([refused.status, refused.code, refused.headers.get("retry-after")]).toEqual([429, "erasures_pending", "60"]);
    await completed(other, await begun(other, { visitor_id: "somebody" }));
    await env.DB.prepare(
      "UPDATE erasures SET status = 'complete' WHERE account = ? AND id = (SELECT min(id) FROM erasures WHERE account = ?)",
    )
      .bind(who.account, who.account)
      .run();
    await completed(who, await begun(who, { visitor_id: "somebody" }));
  });
});
