import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import type { CatalogTool } from "../../../src/agent/catalog/types.ts";
import type { Installed } from "../../../src/agent/integrations/readiness.ts";
import { CONVERSATION_TOOLS, PURE_TOOLS } from "../../../src/agent/tools/built-in-names.ts";
import { BUILT_IN_TOOLS, lackedTools, runsIn } from "../../../src/browser/console/api/built-in-tools.ts";
import { pureTools } from "../../../src/conversation/runtime/built-in/pure-tools.ts";
import { toolsOf } from "../../../src/conversation/runtime/session/session-tools.ts";
import { offeredTools } from "../../../src/conversation/runtime/turns/built-in-tools.ts";
import { session } from "./scripted/support.ts";

/** Every integration that takes a token, with all that it asks for. */
const INSTALLED: Installed[] = CATALOG.integrations
  .filter(({ auth }) => auth === "token")
  .map(({ id, params, secrets }) => ({
    id,
    installed_at: "2026-11-01T00:00:00.000Z",
    params: Object.fromEntries(params.map(({ name, host }) => [name, hostValue(host)])),
    secret_names: secrets.map(({ name }) => name),
  }));

function hostValue(rule: CatalogTool["implementation_config"] | unknown): string {
  if (rule === "label") return "acme";
  if (rule === "public_host") return "shop.example.com";
  if (rule === "base_url") return "https://api.example.com";
  return Array.isArray(rule) ? String(rule[0]).replace("*", "1") : "value";
}

/** What the edge runtime offers an agent of a template on a call, with every integration connected. */
function offeredBy(template: (typeof CATALOG.templates)[number]): string[] {
  const snapshot = session(template.name);
  snapshot.agent.transfer_targets = [{ label: "Front desk", number: "+12025550177" }];
  const rows = CATALOG.tools
    .filter(({ name }) => template.tools.includes(name))
    .map((tool) => Object.assign({}, tool, { max_runs: null, bind: {} }));
  const { tools } = toolsOf(rows, INSTALLED, { call: snapshot.call, visitor: null, variables: {}, isTester: false });
  snapshot.tools = [...tools, ...pureTools(snapshot)];
  return offeredTools(snapshot, new Set()).map(({ name }) => name);
}

/** Everything that a template or one of its playbooks tells its agent to use. */
function namedBy({ tools, playbooks, system_prompt }: (typeof CATALOG.templates)[number]): string[] {
  const known = new Set([...CATALOG.tools.map(({ name }) => name), ...CATALOG.retired_tools, ...BUILT_IN_TOOLS]);
  const followed = CATALOG.playbooks.filter(({ name }) => playbooks.includes(name));
  const texts = [system_prompt, ...followed.map(({ content }) => content)].join("\n");
  const inTexts = [...texts.matchAll(/[a-z]+(?:_[a-z]+)+/g)].map(([name]) => name).filter((name) => known.has(name));
  return [...new Set([...tools, ...followed.flatMap(({ tool_names }) => tool_names), ...inTexts])];
}

describe("the built-in tools", () => {
  it("are all offered on a call to an agent with knowledge and a transfer target", () => {
    const snapshot = session("Front Desk");
    snapshot.agent.transfer_targets = [{ label: "Front desk", number: "+12025550177" }];
    snapshot.tools = pureTools(snapshot);
    const offered = offeredTools(snapshot, new Set()).map(({ name }) => name);
    expect(offered.toSorted()).toEqual([...CONVERSATION_TOOLS, ...PURE_TOOLS].toSorted());
  });

  it("include no search for an agent without FAQs and playbooks", () => {
    const names = pureTools({ faqs: [], playbooks: [] }).map(({ name }) => name);
    expect(names).toEqual(["spell_back", "work_out_date"]);
  });

  it("are the ones that the console names", () => {
    expect(BUILT_IN_TOOLS).toEqual([...CONVERSATION_TOOLS, ...PURE_TOOLS].toSorted());
  });
});

describe("the tools of shipped templates", () => {
  it.each(CATALOG.templates.map((template) => [template.name, template] as const))(
    "%s: every tool that it names is offered by the edge runtime",
    (_, template) => {
      const offered = offeredBy(template);
      expect(namedBy(template).filter((name) => !offered.includes(name))).toEqual([]);
    },
  );

  it("are lacked by no agent of a template", () => {
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

  it("that are written in Python run in the account's own runtime, unless they are built in", () => {
    const python = CATALOG.tools.filter(({ implementation_type }) => implementation_type === "python");
    const own = python.filter((tool) => runsIn(tool) === "own_runtime").map(({ name }) => name);
    expect(own).toEqual(["work_out_total"]);
    expect(runsIn({ name: "look_up_order", implementation_type: "http" })).toBe("platform");
  });
});
