import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { arrayItems } from "../../src/mcp/array-items.ts";
import { tenant } from "../support/client.ts";
import { use } from "./support.ts";

async function itemsOf(text: string, cuts: number[]): Promise<unknown[]> {
  const bytes = new TextEncoder().encode(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const [n, end] of ends.entries()) controller.enqueue(bytes.slice(n === 0 ? 0 : ends[n - 1], end));
      controller.close();
    },
  });
  return Array.fromAsync(arrayItems(body));
}

describe("arrayItems", () => {
  it("parses the objects of an array wherever its bytes are divided", async () => {
    const value = fc.jsonValue({ stringUnit: "binary" });
    const list = fc.array(fc.dictionary(fc.string({ unit: "binary" }), value), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(list, fc.array(fc.nat(), { maxLength: 20 }), fc.boolean(), async (items, cuts, isSpaced) => {
        const text = JSON.stringify(items, null, isSpaced ? 2 : 0);
        expect(await itemsOf(text, cuts)).toEqual(JSON.parse(text));
        const page = JSON.stringify({ items, total: items.length });
        expect(await itemsOf(page, cuts)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("parses quotes and brackets in strings that end with escapes", async () => {
    const items = [{ a: 'x"}]\\' }, { b: "\\\\", c: [{ d: "{[" }] }, {}];
    const text = JSON.stringify(items);
    for (let cut = 0; cut <= text.length; cut++) expect(await itemsOf(text, [cut])).toEqual(items);
    expect(await itemsOf("[]", [1])).toEqual([]);
  });
});

it("find_agents never has all agents with their texts in memory", async () => {
  const { server } = await tenant();
  const system_prompt = "x".repeat(200_000);
  for (let n = 0; n < 8; n++) await server.post("/api/v1/agents", { name: `Agent ${n}`, system_prompt });
  let longest = 0;
  const { parse } = JSON;
  const measured = (text: string): unknown => {
    // The database's results do not contain this field.
    if (text.includes('"in_service":')) longest = Math.max(longest, text.length);
    return parse(text);
  };
  const spies = [
    vi.spyOn(JSON, "parse").mockImplementation(measured),
    vi.spyOn(Response.prototype, "json").mockImplementation(async function (this: Response) {
      return measured(await this.text());
    }),
  ];
  const { structuredContent } = await use(server, "find_agents", { query: "agent", limit: 3 });
  for (const spy of spies) spy.mockRestore();
  expect(structuredContent).toMatchObject({ total: 8, agents: [{ name: "Agent 7" }, {}, {}] });
  expect(longest).toBeGreaterThan(200_000);
  expect(longest).toBeLessThan(2 * 200_000);
});
