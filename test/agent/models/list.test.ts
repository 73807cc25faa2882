import { describe, expect, it } from "vitest";
import { endOf, inService, LISTED_MODELS, listedModel } from "../../../src/agent/models/list.ts";
import { PRICED_THINGS } from "../../../src/records/prices/default-prices.ts";

describe("the list of models", () => {
  it("has, for each model that ends, a successor that lasts longer", () => {
    for (const model of LISTED_MODELS) {
      const end = endOf(model);
      expect([model.name, model.replaced_by === null]).toEqual([model.name, end === null]);
      if (end === null) continue;
      const next = inService(model, end);
      expect([model.name, next.name, endOf(next)]).toEqual([model.name, model.replaced_by, null]);
      expect(inService(model, end - 1).name).toBe(model.name);
    }
  });

  it("has a price, a source and the day on which it was read for each model", () => {
    const priced = new Set(PRICED_THINGS.filter(({ list }) => list.length > 0).map(({ what }) => what));
    for (const { name, source, read_on } of LISTED_MODELS) {
      for (const kind of ["input", "cached_input", "output"]) expect(priced).toContain(`model/${name}/${kind}`);
      expect(source).toMatch(/^https:\/\/(developers\.openai|platform\.claude)\.com\//);
      expect(read_on).toMatch(/^2026-\d\d-\d\d$/);
    }
  });

  it("names each model once", () => {
    expect(new Set(LISTED_MODELS.map(({ name }) => name)).size).toBe(LISTED_MODELS.length);
    expect(listedModel("gpt-9")).toBeUndefined();
  });
});
