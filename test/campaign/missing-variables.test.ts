import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { zoneShares } from "../../src/campaign/plan/plan.ts";
import { checkVariables } from "../../src/campaign/plan/variables.ts";
import { contactVariables } from "../../src/campaign/projection.ts";
import { renderAll } from "../../src/kernel/rendering/render.ts";
import type { Variable } from "../../src/kernel/rendering/variables.ts";
import { FROM } from "./support.ts";
import { CALM, draft, inObject, World } from "./world/virtual-world.ts";

describe("missing variables", () => {
  const columns = fc.uniqueArray(fc.constantFrom("name", "Company Name", "date", "agent_name", "a-b", "__proto__"));
  const rows = fc.array(fc.array(fc.constantFrom("", " ", "x"), { maxLength: 6 }), { minLength: 1, maxLength: 8 });
  const text = fc
    .array(
      fc.constantFrom(
        ..."name company_name date agent_name a-b __proto__ nobody from_number phone_number".split(" "),
        " Company  NAME ",
        "name|there",
        "nobody|",
      ),
    )
    .map((names) => names.map((name) => `{{${name}}}`).join(" "));

  it("missing variables are those for which rendering each contact's texts finds no value", async () => {
    await inObject(async (storage) => {
      const scenario = { ...CALM, contacts: 1 };
      const store = draft(scenario, new World(scenario), storage);
      const given = [
        ["agent_name", "Nova"],
        ["from_number", FROM],
        ["date", "2026-11-21"],
      ] satisfies Variable[];
      await fc.assert(
        fc.asyncProperty(columns, rows, text, text, async (header, cells, prompt, greeting) => {
          storage.sql.exec("DELETE FROM contacts");
          for (const row of cells)
            storage.sql.exec(
              "INSERT INTO contacts (phone, zone, variables, updated_at) VALUES (13030000000, 0, ?, 0)",
              JSON.stringify(row.slice(0, header.length)),
            );
          store.campaign.update({ columns: JSON.stringify(header) });
          const expected = new Map<string, number>();
          for (const row of cells) {
            const contact = { phone: 13030000000, variables: JSON.stringify(row.slice(0, header.length)) };
            const values = [...contactVariables(JSON.stringify(header), contact), ...given];
            for (const name of renderAll({ prompt, greeting }, values).missing)
              expected.set(name, (expected.get(name) ?? 0) + 1);
          }
          const { missing } = await checkVariables(store, [prompt, greeting], given, cells.length);
          const { variables } = missing;
          const found = new Map(variables.map(({ name, empty }) => [name, empty ?? cells.length]));
          expect([...found].sort()).toEqual([...expected].sort());
        }),
        { numRuns: 60 },
      );
    });
  });
});

describe("contacts sampled by a plan", () => {
  it("contacts sampled by a plan are spread over a list too long to count", async () => {
    const found = await inObject(async (storage) => {
      const scenario = { ...CALM, contacts: 1 };
      const store = draft(scenario, new World(scenario), storage);
      storage.sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 249999)
         INSERT INTO contacts (phone, zone, variables, next_attempt_at, updated_at)
         SELECT 13030000000 + i, 0, json_array(iif(i % 2 AND i < 200000, 'Ada', '')), iif(i % 2, 0, NULL), 0 FROM n`,
      );
      store.campaign.update({ columns: '["name"]' });
      let turns = 0;
      const others = setInterval(() => turns++);
      const { missing } = await checkVariables(store, ["{{name}} {{rank}}"], [], 125_000);
      clearInterval(others);
      return { ...missing, turns };
    });
    // Every other contact waits, and the last fifth of them has no name.
    expect(Math.abs(found.lookedAt - 50_000)).toBeLessThanOrEqual(20);
    expect(found.variables[0]).toEqual({ name: "rank", empty: null });
    expect(found.variables[1]?.name).toBe("name");
    expect(Math.abs((found.variables[1]?.empty ?? 0) - 10_000)).toBeLessThanOrEqual(20);
    expect(found.turns).toBeGreaterThan(5);
  });

  it("contacts sampled by a plan are grouped by the largest time zones, with the rest summed", () => {
    const groups = fc.array(
      fc.record({ zone: fc.integer({ min: 0, max: 60 }), dueAt: fc.nat(), n: fc.nat({ max: 1_000 }) }),
    );
    fc.assert(
      fc.property(groups, (random) => {
        const all = random.map((group) => ({ ...group, name: group.zone === 0 ? null : `Zone/${group.zone}` }));
        const shares = zoneShares(all, "UTC");
        expect(shares.reduce((sum, { contacts }) => sum + contacts, 0)).toBe(all.reduce((sum, { n }) => sum + n, 0));
        expect(shares.length).toBeLessThanOrEqual(21);
        const named = shares.filter(({ timezone }) => timezone !== null);
        expect(named.length).toBeLessThanOrEqual(20);
        expect(new Set(named.map(({ timezone }) => timezone)).size).toBe(named.length);
        expect(named.map(({ contacts }) => contacts)).toEqual(
          named.map(({ contacts }) => contacts).sort((a, b) => b - a),
        );
        expect(shares.every(({ contacts }) => contacts > 0)).toBe(true);
        expect(shares.slice(0, -1).every(({ source }) => source !== "others")).toBe(true);
      }),
    );
  });
});
