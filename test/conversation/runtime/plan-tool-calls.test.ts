import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolCall } from "../../../src/conversation/runtime/models/model.ts";
import { planToolCalls } from "../../../src/conversation/runtime/turns/plan-tool-calls.ts";

const calls = (...names: string[]): ToolCall[] => names.map((name, at) => ({ id: String(at), name, arguments: {} }));
const namesOf = (some: ToolCall[]) => some.map(({ name }) => name);
const isRead = (name: string) => name.startsWith("read");

describe("the order of an answer's tool calls", () => {
  it("begins with opt-outs and dispositions, and ends with the end of the call", () => {
    const plan = planToolCalls(calls("end_call", "book", "set_disposition", "transfer_call", "opt_out"), isRead);
    expect(namesOf(plan.first)).toEqual(["opt_out", "set_disposition"]);
    expect(plan.steps.map(namesOf)).toEqual([["book"]]);
    expect(namesOf(plan.last)).toEqual(["transfer_call", "end_call"]);
  });

  it("runs consecutive reads together", () => {
    const plan = planToolCalls(calls("read_1", "read_2", "book", "read_3", "write"), isRead);
    expect(plan.steps.map(namesOf)).toEqual([["read_1", "read_2"], ["book"], ["read_3"], ["write"]]);
  });

  it("contains every call exactly once", () => {
    const name = fc.constantFrom("opt_out", "set_disposition", "end_call", "transfer_call", "read_1", "book", "?");
    fc.assert(
      fc.property(fc.array(name, { maxLength: 40 }), (names) => {
        const given = calls(...names);
        const { first, steps, last, excess } = planToolCalls(given, isRead);
        const planned = [...first, ...steps.flat(), ...last, ...excess];
        expect(planned.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(given.map((_, at) => at));
      }),
    );
  });
});
