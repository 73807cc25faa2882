import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";

const LISTS = ["tools", "playbooks", "marketplace/agents"];
/** The longest term that lists accept. */
const LONGEST = 200;

describe("searching", () => {
  it.each(LISTS)("%s accepts a term of any length up to the documented one", async (list) => {
    const { server } = await tenant();
    for (const term of ["x".repeat(47), "x".repeat(49), "x".repeat(LONGEST), "%_\\".repeat(66), "é".repeat(LONGEST)]) {
      const answer = await server.get<{ total: number }>(`/api/v1/${list}?search=${encodeURIComponent(term)}`);
      expect([answer.status, answer.body.total]).toEqual([200, 0]);
    }
    expect((await server.get(`/api/v1/${list}?search=${"x".repeat(LONGEST + 1)}`)).status).toBe(400);
  });

  it("finds long and odd texts literally, ignoring case", async () => {
    const { server } = await tenant();
    const text = `100% of_it \\ 'quoted' "twice" ${"long ".repeat(30)}`.trim();
    await server.post("/api/v1/tools", { name: "mine", display_name: text });
    const found = async (term: string) =>
      (await server.get<{ tools: { name: string }[] }>(`/api/v1/tools?search=${encodeURIComponent(term)}`)).body.tools;
    for (const term of [text, text.toUpperCase(), text.slice(20, 120), "100%", "% OF_", "_it \\", "'QUOTED'"]) {
      expect([term, await found(term)]).toMatchObject([term, [{ name: "mine" }]]);
    }
    for (const term of ["100_", "%quoted%", "of%it", "ofxit"]) expect([term, await found(term)]).toEqual([term, []]);
  });
});
