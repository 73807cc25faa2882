import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultAlone, faultSentence, placeFaults } from "../../src/browser/console/ui/faults.ts";

const fault = (field: string, message = "must not be empty", code = "invalid") => ({ field, code, message });

describe("the service's errors in a form", () => {
  it("an error is shown at the most specific field, or above the form if no field edits it", () => {
    const url = fault("implementation_config.url", "must be an address");
    const body = fault("implementation_config.body.0.name");
    const { at, rest } = placeFaults(
      [fault("name"), url, body, fault("names"), fault("")],
      ["implementation_config", "implementation_config.url", "name"],
    );
    expect([...at]).toEqual([
      ["name", "must not be empty"],
      ["implementation_config.url", "must be an address"],
      ["implementation_config", "body.0.name must not be empty"],
    ]);
    expect(rest.map(({ field }) => field)).toEqual(["names", ""]);
  });

  it("an error is never lost, whatever the fields", () => {
    const path = fc
      .array(fc.constantFrom("a", "b", "0"), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join("."));
    const seed = Number(process.env.PROPERTY_SEED ?? 1);
    fc.assert(
      fc.property(fc.array(path), fc.array(path), (faults, fields) => {
        const { at, rest } = placeFaults(
          faults.map((field) => fault(field)),
          fields,
        );
        for (const field of faults) {
          const holders = fields.filter((name) => field === name || field.startsWith(`${name}.`));
          const isShown = rest.some((one) => one.field === field) || holders.some((name) => at.has(name));
          expect(isShown).toBe(true);
          expect(rest.some((one) => one.field === field)).toBe(holders.length === 0);
        }
      }),
      { seed },
    );
  });

  it("an error is a sentence with the label of its field", () => {
    expect(faultSentence("URL", "must be an address")).toBe("URL must be an address.");
    expect(faultSentence("Password again", "The passwords don't match.")).toBe("The passwords don't match.");
    expect(faultSentence("Name", "taken")).toBe("Taken.");
    expect(faultAlone(fault("retry_config.retry_on.2", "must be text"))).toBe("Retry on must be text.");
    expect(faultAlone(fault("", "nothing to change"))).toBe("Nothing to change.");
    expect(faultAlone(fault("agent_id", "agent not found"))).toBe("Agent ID: agent not found.");
  });

  it("name the invalid entry of a list", () => {
    expect(placeFaults([fault("tags.2")], ["tags"]).at.get("tags")).toBe("Entry 3 must not be empty");
  });

  it("an error uses the console's words if the service's do not fit a form", () => {
    const taken = fault("name", "a tool with this name already exists", "duplicate_name");
    expect(placeFaults([taken], ["name"]).at.get("name")).toBe("This name is already in use.");
    expect(placeFaults([fault("name", "is required", "required")], ["name"]).at.get("name")).toBe("is required");
  });
});
