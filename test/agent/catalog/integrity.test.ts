import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import { PURE_TOOLS } from "../../../src/agent/tools/built-in-names.ts";

const NAME = /^[a-z][a-z0-9_]{0,62}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const names = (items: { name: string }[]) => items.map(({ name }) => name);
const { tools, playbooks, faqs, integrations, templates } = CATALOG;

describe("the catalogue", () => {
  it("has as many entries as it claims", () => {
    expect(tools.length).toBeGreaterThanOrEqual(14);
    expect(playbooks.length).toBeGreaterThanOrEqual(12);
    expect(faqs.length).toBeGreaterThanOrEqual(10);
    expect(integrations.length).toBeGreaterThanOrEqual(24);
    expect(new Set(integrations.map(({ category }) => category)).size).toBeGreaterThanOrEqual(8);
    expect(templates.length).toBeGreaterThanOrEqual(16);
    expect(new Set(templates.map(({ category }) => category)).size).toBe(4);
  });

  it("has unique names in snake case", () => {
    for (const list of [tools, playbooks, faqs, integrations]) {
      expect(names(list).filter((name) => !NAME.test(name))).toEqual([]);
      expect(new Set(names(list)).size).toBe(list.length);
    }
    const ids = [
      ...integrations.map(({ id }) => id),
      ...templates.flatMap(({ id, agent_id, knowledge_items }) => [
        id,
        agent_id,
        ...knowledge_items.map((item) => item.id),
      ]),
    ];
    expect(ids.filter((id) => !UUID.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("refers only to existing entries", () => {
    for (const { name, tool_names } of playbooks) {
      expect(
        tool_names.filter((tool) => !names(tools).includes(tool) && !PURE_TOOLS.includes(tool)),
        name,
      ).toEqual([]);
    }
    for (const template of templates) {
      expect(
        template.tools.filter((tool) => !names(tools).includes(tool)),
        template.name,
      ).toEqual([]);
      expect(
        template.playbooks.filter((playbook) => !names(playbooks).includes(playbook)),
        template.name,
      ).toEqual([]);
      const used = playbooks
        .filter(({ name }) => template.playbooks.includes(name))
        .flatMap(({ tool_names }) => tool_names);
      expect(template.tools.length, template.name).toBeGreaterThan(0);
      expect(used.length, template.name).toBeGreaterThan(0);
    }
    for (const { name, implementation_config } of tools) {
      const wanted = [...JSON.stringify(implementation_config).matchAll(/\{\{(\w+)\.(\w+)\}\}/g)];
      for (const [, integration = "", field = ""] of wanted) {
        const existing = integrations.find((candidate) => candidate.name === integration);
        expect(names([...(existing?.params ?? []), ...(existing?.secrets ?? [])]), `${name}: ${integration}`).toContain(
          field,
        );
      }
    }
  });

  it("gives every tool a JSON Schema of its arguments", () => {
    for (const { name, schema } of tools) {
      const { type, properties, required, additionalProperties } = schema as {
        type: string;
        properties: Record<string, { description?: string }>;
        required: string[];
        additionalProperties: boolean;
      };
      expect([type, additionalProperties], name).toEqual(["object", false]);
      const keys = Object.keys(properties);
      expect(keys.length, name).toBeGreaterThan(0);
      expect(
        required.filter((key) => !keys.includes(key)),
        name,
      ).toEqual([]);
      for (const property of Object.values(properties)) {
        expect(property.description, name).toBeTruthy();
      }
    }
  });

  it("gives every playbook the parts of a page, and every template its own prompt", () => {
    for (const { name, content } of playbooks) {
      for (const part of ["Objective", "When to use it", "Steps", "Edge cases", "Escalation"]) {
        expect(content, name).toContain(`## ${part}\n`);
      }
    }
    for (const { name, system_prompt } of templates) {
      const words = system_prompt.split(/\s+/).length;
      expect(words, name).toBeGreaterThan(150);
      expect(words, name).toBeLessThan(500);
    }
    expect(new Set(templates.map(({ system_prompt }) => system_prompt)).size).toBe(templates.length);
  });
});
