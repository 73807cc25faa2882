import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import type { CatalogTool } from "../../../src/agent/catalog/types.ts";
import type { Installed } from "../../../src/agent/integrations/readiness.ts";
import { CONVERSATION_TOOLS, PURE_TOOLS } from "../../../src/agent/tools/built-in-names.ts";
import { BUILT_IN_TOOLS, lackedTools, runsIn } from "../../../src/browser/console/api/built-in-tools.ts";
import { pureTools } from "../../../src/conversation/runtime/built-in/pure-tools.ts";
import { PROTOCOLS } from "../../../src/conversation/runtime/protocols/index.ts";
import { toolsOf } from "../../../src/conversation/runtime/session/session-tools.ts";
import {
  type BuiltInActions,
  offeredTools,
  runBuiltIn,
} from "../../../src/conversation/runtime/turns/built-in-tools.ts";
import { languageNow } from "../../../src/conversation/runtime/turns/spoken-language.ts";
import type { ConversationEvent } from "../../../src/records/conversations/events.ts";
import { session } from "./scripted/support.ts";

/** Every integration that has a token, completely installed. */
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

/** Returns the tools that the edge runtime offers a template's agent on a call, with every integration connected. */
function offeredBy(template: (typeof CATALOG.templates)[number]): string[] {
  const snapshot = session(template.name);
  snapshot.agent.transfer_targets = [{ label: "Front desk", number: "+12025550177" }];
  const rows = CATALOG.tools
    .filter(({ name }) => template.tools.includes(name))
    .map((tool) => Object.assign({}, tool, { max_runs: null, bind: {} }));
  const { tools } = toolsOf(rows, INSTALLED, { call: snapshot.call, visitor: null, variables: {}, isTester: false });
  snapshot.tools = [...tools, ...pureTools(Object.assign({ documents: [] }, snapshot))];
  return offeredTools(snapshot, new Set()).map(({ name }) => name);
}

/** Returns every tool that a template or one of its playbooks tells its agent to use. */
function namedBy({ tools, playbooks, system_prompt }: (typeof CATALOG.templates)[number]): string[] {
  const known = new Set([...CATALOG.tools.map(({ name }) => name), ...CATALOG.retired_tools, ...BUILT_IN_TOOLS]);
  const followed = CATALOG.playbooks.filter(({ name }) => playbooks.includes(name));
  const texts = [system_prompt, ...followed.map(({ content }) => content)].join("\n");
  const inTexts = [...texts.matchAll(/[a-z]+(?:_[a-z]+)+/g)].map(([name]) => name).filter((name) => known.has(name));
  return [...new Set([...tools, ...followed.flatMap(({ tool_names }) => tool_names), ...inTexts])];
}

describe("the built-in tools", () => {
  it("a call offers all built-in tools if its agent has knowledge, a transfer target and another language", () => {
    const snapshot = session("Front Desk");
    snapshot.agent.transfer_targets = [{ label: "Front desk", number: "+12025550177" }];
    snapshot.agent.languages = ["tr-TR"];
    snapshot.tools = pureTools(Object.assign({ documents: [] }, snapshot));
    const offered = offeredTools(snapshot, new Set()).map(({ name }) => name);
    expect(offered.toSorted()).toEqual([...CONVERSATION_TOOLS, ...PURE_TOOLS].toSorted());
  });

  it("include no search for an agent without documents, FAQs and playbooks", () => {
    const names = pureTools({ documents: [], faqs: [], playbooks: [] }).map(({ name }) => name);
    expect(names).toEqual(["spell_back", "work_out_date"]);
  });

  it("the console names exactly the built-in tools", () => {
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

  it("every agent of a template has the tools of that template", () => {
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

  it("a template's Python tools run in the account's own runtime unless they are built in", () => {
    const python = CATALOG.tools.filter(({ implementation_type }) => implementation_type === "python");
    const own = python.filter((tool) => runsIn(tool) === "own_runtime").map(({ name }) => name);
    expect(own).toEqual(["work_out_total"]);
    expect(runsIn({ name: "look_up_order", implementation_type: "http" })).toBe("platform");
  });
});

describe("the tool set_language", () => {
  const snapshotAt = (provider: string) => {
    const snapshot = session("Front Desk");
    Object.assign(snapshot.agent, { language: "de-DE", languages: ["tr-TR"] });
    if (snapshot.call) snapshot.call.provider = provider;
    return snapshot;
  };
  const use = (language: unknown, provider: string) => {
    const changed: string[] = [];
    const actions: BuiltInActions = {
      search: async () => ({ ok: true, result: null }),
      optOut: () => false,
      disposition: () => {},
      transfer: async () => {},
      setLanguage: (to) => void changed.push(to),
    };
    const talk = { session: { snapshot: snapshotAt(provider) }, events: [] };
    return runBuiltIn("set_language", { language }, talk, actions, 0).then((outcome) => [outcome, changed]);
  };

  it("set_language is offered only to agents with other languages, with all of them", () => {
    const tool = offeredTools(snapshotAt("twilio"), new Set()).find(({ name }) => name === "set_language");
    expect(JSON.stringify(tool?.parameters)).toContain('"enum":["de-DE","tr-TR"]');
    expect(offeredTools(session("Front Desk"), new Set()).map(({ name }) => name)).not.toContain("set_language");
  });

  it.each(["twilio", "telnyx", "sandbox"])("changes the language on %s", async (provider) => {
    expect(await use("tr-TR", provider)).toEqual([
      { ok: true, result: "the conversation continues in tr-TR" },
      ["tr-TR"],
    ]);
  });

  it("reports languages that the carrier does not support or the agent does not have", async () => {
    const cannot = "the carrier of this call cannot change to tr-TR: continue in de-DE";
    expect(await use("tr-TR", "vonage")).toEqual([{ ok: false, result: cannot }, []]);
    for (const language of ["fr-FR", "tr", 7, undefined])
      expect(await use(language, "twilio")).toEqual([
        { ok: false, result: "language must be one of de-DE, tr-TR" },
        [],
      ]);
  });

  it("determines the language from then on, if it succeeded", () => {
    const at = new Date(0).toISOString();
    const used = (seq: number, language: string, ok: boolean): ConversationEvent[] => [
      { seq, at, type: "tool_call", tool_call_id: `c${seq}`, name: "set_language", arguments: { language } },
      { seq: seq + 1, at, type: "tool_result", tool_call_id: `c${seq}`, ok, result: "", duration_ms: 0 },
    ];
    const { agent } = snapshotAt("twilio");
    expect(languageNow([], agent)).toBe("de-DE");
    expect(languageNow(used(1, "tr-TR", true), agent)).toBe("tr-TR");
    expect(languageNow([...used(1, "tr-TR", true), ...used(3, "de-DE", false)], agent)).toBe("tr-TR");
  });

  it("set_language sends a frame to carriers and to the widget", () => {
    const language = { type: "language", language: "tr-TR" } as const;
    expect(PROTOCOLS.conversation_relay.write(language)).toEqual({
      type: "language",
      ttsLanguage: "tr-TR",
      transcriptionLanguage: "tr-TR",
    });
    expect(PROTOCOLS.widget.write(language)).toEqual(language);
  });
});
