import { loadPyodide, type PyodideInterface } from "pyodide";
import { beforeAll, describe, expect, it } from "vitest";
import { CATALOG } from "../../src/agent/catalog/index.ts";

const tools = CATALOG.tools.filter(({ implementation_type }) => implementation_type === "python");

const session = {
  agent: {
    name: "Ann",
    transfer_targets: [
      { label: "Front desk", number: "+13035550199" },
      { label: "Billing", number: "+436601234567" },
    ],
  },
  faqs: [
    { name: "hours", title: "Opening hours", summary: "Open nine to five on weekdays.", content: "We open at nine." },
    {
      name: "parking",
      title: "Where to park",
      summary: "",
      content: `Behind the house.${" There is room.".repeat(60)}`,
    },
    { name: "payment", title: "Ways to pay", summary: "By card or in cash.", content: "No cheques." },
  ],
  tools: [],
};

let python: PyodideInterface;
beforeAll(async () => {
  python = await loadPyodide();
});

/** Runs a shipped tool as a runtime does, from JSON to JSON, and checks that it changes neither of its arguments. */
function run(name: string, args: Record<string, unknown>, of: Record<string, unknown> = session): unknown {
  const code = tools.find((tool) => tool.name === name)?.implementation_code;
  const globals = python.toPy({ code, given: JSON.stringify([args, of]) });
  const result: unknown = python.runPython(
    `
import json
space = {}
exec(code, space)
args, session = json.loads(given)
result = space["run"](args, session)
assert [args, session] == json.loads(given), "the arguments were changed"
json.dumps(result)
`,
    { globals },
  );
  return JSON.parse(String(result));
}

describe("the shipped Python tools", () => {
  it("import only what calculates, and have one function to call", () => {
    expect(tools.map(({ name }) => name).sort()).toEqual(["end_call", "transfer_call", "work_out_total"]);
    for (const { name, implementation_code: code, implementation_config } of tools) {
      const imported = [...code.matchAll(/^\s*(?:import|from)\s+(\w+)/gm)].map(([, module]) => module);
      expect(
        imported.filter((module) => !["decimal"].includes(module ?? "")),
        name,
      ).toEqual([]);
      expect(code, name).not.toMatch(/\b(open|exec|eval|input|print|__import__|today|now)\(/);
      expect(code.match(/^def run\(args, session\):$/gm), name).toHaveLength(1);
      expect(implementation_config, name).toEqual({});
    }
  });

  it("work_out_total is right to the cent", () => {
    const items = [
      { name: "chair", unit_cents: 1995, quantity: 3 },
      { name: "lamp", unit_cents: 850 },
    ];
    expect(run("work_out_total", { items })).toEqual({
      lines: [
        { name: "chair", cents: 5985 },
        { name: "lamp", cents: 850 },
      ],
      subtotal_cents: 6835,
      discount_cents: 0,
      tax_cents: 0,
      total_cents: 6835,
    });
    // 10 % of 6,835 is 683.5; the remaining 6,151 at 8.1 % is 498.231.
    expect(run("work_out_total", { items, discount_percent: 10, tax_percent: 8.1 })).toMatchObject({
      discount_cents: 684,
      tax_cents: 498,
      total_cents: 6649,
    });
  });

  it("transfer_call says what the runtime is to do, and only for the agent's transfer targets", () => {
    const summary = "Ava, about invoice 7";
    expect(run("transfer_call", { label: "Billing", summary })).toEqual({
      action: "transfer",
      to_number: "+436601234567",
      summary,
      say: "One moment, I am connecting you.",
    });
    expect(run("transfer_call", { label: "Front desk", summary, announcement: "Wait." })).toMatchObject({
      to_number: "+13035550199",
      say: "Wait.",
    });
    expect(run("transfer_call", { label: "+19005550100", summary })).toEqual({
      error: "label is none of the agent's transfer targets",
      labels: ["Billing", "Front desk"],
    });
    expect(run("transfer_call", { label: "Billing", summary }, {})).toMatchObject({ labels: [] });
  });

  it("end_call says what the runtime is to do", () => {
    expect(run("end_call", { disposition: "resolved", farewell: "Bye." })).toEqual({
      action: "hangup",
      disposition: "resolved",
      say: "Bye.",
    });
    expect(run("end_call", { disposition: "voicemail" })).toMatchObject({
      say: "Thank you for calling. Goodbye.",
    });
  });
});
