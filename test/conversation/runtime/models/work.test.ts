import { describe, expect, it } from "vitest";
import { request, served } from "./support.ts";

/** Counts the signs of work in a server's stream. */
async function workIn(api: "openai" | "anthropic", pieces: (object | string)[]): Promise<number> {
  const lines = pieces.map((piece) => (typeof piece === "string" ? piece : `data: ${JSON.stringify(piece)}\n\n`));
  const { model } = served(api, () => new Response(lines.join("")));
  let work = 0;
  try {
    for await (const _ of model.answer(request({ onWork: () => work++ })));
  } catch {
    // These streams break off.
  }
  return work;
}

const delta = (fields: object) => ({ choices: [{ index: 0, delta: fields }] });

describe("the work of a model that is not spoken", () => {
  it.each<[string, "openai" | "anthropic", (object | string)[], number]>([
    ["reasoning", "openai", [delta({ reasoning_content: "Let me see" }), delta({ reasoning: "hm" })], 2],
    [
      "a tool's arguments",
      "openai",
      [
        delta({ tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }),
      ],
      2,
    ],
    ["keep-alives", "openai", [": ping\n\n", delta({}), delta({ role: "assistant", content: "" }), { choices: [] }], 0],
    ["pings", "anthropic", [{ type: "ping" }], 0],
    [
      "thinking",
      "anthropic",
      [
        { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Let me see" } },
      ],
      2,
    ],
  ])("signs of a model's unspoken work are counted correctly in %s", async (_, api, pieces, expected) => {
    expect(await workIn(api, pieces)).toBe(expected);
  });
});
