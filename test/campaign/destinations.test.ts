import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countElsewhere, numbersElsewhere } from "../../src/campaign/plan/destinations.ts";
import { isAllowedDestination } from "../../src/phone/call-settings/destinations.ts";
import { caller } from "../phone/calls/support.ts";
import { type Campaign, contactOf, started, until } from "./support.ts";
import { CALM, draft, inObject, World } from "./world/virtual-world.ts";

const property = { seed: Number((env as unknown as { PROPERTY_SEED: string }).PROPERTY_SEED), numRuns: 500 };
const codes = fc.uniqueArray(fc.constantFrom("+1", "+7", "+20", "+49", "+44", "+351", "+998"), { maxLength: 5 });
const number = fc.oneof(
  fc.stringMatching(/^[1-9]\d{6,14}$/),
  fc
    .tuple(fc.constantFrom("1", "2", "48", "49", "50", "350", "351", "352"), fc.stringMatching(/^\d{6,12}$/))
    .map((two) => two.join("")),
);

describe("numbers elsewhere", () => {
  it("numbers elsewhere begin with no allowed calling code", () => {
    fc.assert(
      fc.property(codes, number, (allowed, digits) => {
        const isElsewhere = numbersElsewhere(allowed).some(
          ([first, last]) => first <= Number(digits) && Number(digits) <= last,
        );
        expect(isElsewhere).toBe(!isAllowedDestination(allowed, `+${digits}`));
      }),
      property,
    );
  });

  it("numbers at destinations that are not allowed are counted among the waiting contacts", async () => {
    const counted = await inObject(async (storage) => {
      const scenario = { ...CALM, contacts: 1 };
      const store = draft(scenario, new World(scenario), storage);
      storage.sql.exec("DELETE FROM contacts");
      storage.sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120000)
         INSERT INTO contacts (phone, zone, variables, next_attempt_at, updated_at)
         SELECT iif(i % 3 = 0, 13030000000, 4930000000) + i, 0, '[]', iif(i % 2, 0, NULL), 0 FROM n`,
      );
      return [
        await countElsewhere(store, ["+1"]),
        await countElsewhere(store, ["+49"]),
        await countElsewhere(store, null),
      ];
    });
    expect(counted).toEqual([40_000, 20_000, 0]);
  });
});

describe("contacts at destinations that the account doesn't allow", () => {
  it("fail without a call and state the reason, also after a redial", async () => {
    const who = await caller();
    expect((await who.server.patch("/api/v1/call-settings", { allowed_destinations: ["+49"] })).status).toBe(200);
    const path = await started(who, "phone_number\n+13035550110\n+491701234567\n");
    const over = () =>
      until(
        () => who.server.get<Campaign>(path),
        ({ body }) => body.status === "completed",
      );
    await over();
    const refused = { status: "failed", outcome: "rejected", failure_reason: "destination_not_allowed", attempts: [] };
    expect(await contactOf(who.server, path, 0)).toMatchObject(refused);
    expect(await contactOf(who.server, path, 1)).toMatchObject({ status: "completed" });
    expect((await who.server.post(`${path}/redial`, { outcomes: ["rejected"] })).body).toEqual({ contacts: 1 });
    expect((await who.server.post(`${path}/resume`)).status).toBe(200);
    await over();
    expect(await contactOf(who.server, path, 0)).toMatchObject(refused);
    const { total } = (await who.server.get<{ total: number }>("/api/v1/calls")).body;
    expect(total).toBe(1);
  });
});
