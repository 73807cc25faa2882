import { describe, expect, it } from "vitest";
import { readyText } from "../../agent/knowledge/support.ts";
import { ran, tested, withTest } from "./support.ts";

const QUESTION = "When do you close on Saturdays?";

/** Creates an agent with two documents, and returns their ids. */
async function withDocuments(mode: "prompt" | "search") {
  const who = await tested();
  const texts = ["On Saturdays we close at noon.", "The garage is behind the house."];
  const ids: string[] = [];
  for (const [n, text] of texts.entries()) {
    const { id } = await readyText(who.server, `Document ${n}`, text);
    await who.server.post(`${who.path}/knowledge`, { document_id: id, mode });
    ids.push(id);
  }
  return { who, ids };
}

describe("the expectation `cited`", () => {
  it.each(["prompt", "search"] as const)(
    "the expectation `cited` is met by a document in mode %s on which the answer is based",
    async (mode) => {
      const { who, ids } = await withDocuments(mode);
      const of = async (document_id: string | undefined) => {
        const steps = [{ says: QUESTION }];
        const test_id = await withTest(who, { name: "Cites", steps, expect: [{ cited: { document_id } }] });
        const { results } = await ran(who, { tests: [test_id] });
        return results[0]?.state;
      };
      expect(await of(ids[0])).toBe("passed");
      expect(await of(ids[1])).toBe("failed");
    },
  );

  it("the expectation `cited` is refused without the id of a document", async () => {
    const { who } = await withDocuments("prompt");
    const test = { name: "Cites", steps: [{ says: QUESTION }], expect: [{ cited: { document_id: "no id" } }] };
    expect((await who.server.post(`${who.path}/tests`, test)).status).toBe(400);
  });
});
