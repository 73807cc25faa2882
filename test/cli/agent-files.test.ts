import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonical,
  changedFields,
  completed,
  folderFor,
  fromFiles,
  type LocalAgent,
  render,
  toFiles,
  unknownFields,
} from "../../packages/cli/src/agents/files.ts";
import { idAmong } from "../../packages/cli/src/agents/service.ts";
import type { JsonObject } from "../../packages/cli/src/kernel/json.ts";

const name = fc.string({ minLength: 1 });
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
const tool = fc.record({ tool_name: name, enabled: fc.boolean(), config: fc.dictionary(fc.string(), json) });
const record = fc.record({
  id: fc.uuid(),
  name,
  system_prompt: fc.string({ unit: fc.constantFrom("a", "\n", "\r\n", " ", "é", "{{name}}") }),
  greeting_message: fc.string(),
  transfer_targets: fc.array(fc.record({ name, number: name })),
  faqs: fc.array(fc.record({ id: fc.uuid(), name })),
  playbooks: fc.array(fc.record({ id: fc.uuid(), name })),
  updated_at: fc.string(),
});

/** Both sides are compared by the content of the files. */
const read = (agent: JsonObject, tools: JsonObject[]): LocalAgent => fromFiles(toFiles(agent, tools), "agents/a");
const one = (over: JsonObject) =>
  read({ id: "1", name: "Ada", system_prompt: "Be brief.", status: "draft", ...over }, []);

describe("an agent's files", () => {
  it("contain the agent's record, and are written identically again", () => {
    fc.assert(
      fc.property(record, fc.array(tool), (agent, tools) => {
        const local = read(agent as JsonObject, tools as JsonObject[]);
        expect(local.id).toBe(agent.id);
        expect(local.fields.system_prompt).toBe(agent.system_prompt.replaceAll("\r\n", "\n"));
        expect(local.faqs).toEqual(agent.faqs.map((faq) => faq.name));
        expect(canonical(local.tools as never)).toBe(canonical(tools as never));
        const again = fromFiles(render(local), "agents/a");
        expect(again).toEqual(local);
        expect(changedFields(again, local)).toEqual({});
      }),
    );
  });

  it("change only what differs", () => {
    expect(changedFields(one({ status: "active" }), one({}))).toEqual({ status: "active" });
    expect(changedFields(one({ system_prompt: "Be kind." }), one({}))).toEqual({ system_prompt: "Be kind." });
    expect(changedFields(one({ a: { x: 1, y: 2 } }), one({ a: { y: 2, x: 1 } }))).toEqual({});
  });

  it("accept settings of agents and of a newer service", () => {
    const local = one({ greeting_mesage: "x", newer: 1 });
    expect(unknownFields(local, null)).toEqual(["greeting_mesage", "newer"]);
    expect(unknownFields(local, one({ newer: 2 }))).toEqual(["greeting_mesage"]);
    expect(unknownFields(one({ published_version: 3 }), one({ published_version: 4 }))).toEqual([]);
  });

  it("leave unchanged what they do not name", () => {
    const short = fromFiles({ settings: '{"id":"1","name":"Ada"}', prompt: "Be brief.\n" }, "agents/a");
    expect(changedFields(short, one({ description: "x" }))).toEqual({});
    expect(render(completed(short, one({ description: "x" })))).toEqual(render(one({ description: "x" })));
  });

  it("an agent's files are unchanged if git converted the prompt's line endings", () => {
    const files = { settings: '{"id":"1","name":"Ada"}', prompt: "a\r\nb\r\n" };
    expect(fromFiles(files, "agents/a").fields.system_prompt).toBe("a\nb");
  });

  it.each([
    ["{", /agents\/a\/agent.json is not JSON/],
    ["[]", /must be a JSON object/],
    ["{}", /needs a name/],
    ['{"name":"A","faqs":[1]}', /faqs must be a list of names/],
    ['{"name":"A","tools":[{}]}', /needs a tool_name/],
    ['{"name":"A","id":7}', /id must be text/],
  ])("an agent's files are refused by name if they are invalid: %s", (settings, message) => {
    expect(() => fromFiles({ settings, prompt: "" }, "agents/a")).toThrow(message);
  });
});

it("an agent is found by its id, by its name, and by its name in another case if that is unique", () => {
  const all = [
    { id: "0a", name: "Reception" },
    { id: "0b", name: "reception" },
    { id: "0c", name: "Spring offer" },
    { id: "0d", name: "Ada" },
    { id: "0e", name: "ADA" },
  ];
  const found = ["0A", "Reception", "reception", "spring OFFER"].map((wanted) => idAmong(all, wanted));
  expect(found).toEqual(["0a", "0a", "0b", "0c"]);
  expect(() => idAmong(all, "ada")).toThrow("2 agents are called ada");
  expect(() => idAmong(all, "Nobody")).toThrow("there is no agent Nobody");
});

it("folders have unique names without paths", () => {
  expect(folderFor("Spring offer!", new Set())).toBe("spring-offer");
  expect(folderFor("Spring offer", new Set(["spring-offer"]))).toBe("spring-offer-2");
  expect(folderFor("../../etc/Élan", new Set())).toBe("etc-elan");
  expect(folderFor("..", new Set())).toBe("agent");
  fc.assert(fc.property(fc.string(), (text) => !/[/\\.\0]/.test(folderFor(text, new Set()))));
});
