import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import { BUILT_IN_TOOLS, lackedTools, runsIn } from "../../../src/browser/console/api/built-in-tools.ts";
import { offeredTools } from "../../../src/conversation/runtime/turns/built-in-tools.ts";
import { session } from "./scripted/support.ts";

describe("the tools that the console calls built in", () => {
  it("are those that the runtime offers on a call, and the agent's own search", () => {
    const snapshot = session("Front Desk");
    snapshot.agent.transfer_targets = [{ label: "Front desk", number: "+12025550177" }];
    const offered = offeredTools(snapshot, new Set()).map(({ name }) => name);
    expect([...offered, "search_knowledge"].toSorted()).toEqual(BUILT_IN_TOOLS);
  });

  it("do not include those that run in the account's own runtime", () => {
    const python = CATALOG.tools.filter(({ implementation_type }) => implementation_type === "python");
    const own = python.filter((tool) => runsIn(tool) === "own_runtime").map(({ name }) => name);
    expect(own).toEqual(["spell_back", "work_out_date", "work_out_total"]);
    expect(runsIn({ name: "look_up_order", implementation_type: "http" })).toBe("platform");
  });

  it("exist in every agent of a shipped template", () => {
    const playbooks = new Map(CATALOG.playbooks.map((playbook) => [playbook.name, playbook.tool_names]));
    for (const { name, tools, playbooks: named } of CATALOG.templates) {
      const attached = tools.map((tool_name) => ({ tool_name, enabled: true }));
      const lacked = named.map((playbook) => [playbook, lackedTools(playbooks.get(playbook) ?? [], attached)]);
      expect(
        lacked.filter(([, tools]) => tools?.length),
        name,
      ).toEqual([]);
    }
  });
});
