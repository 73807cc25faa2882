import type { Body } from "../../../api/client.ts";
import { agentTests as t } from "../../../texts/index.ts";
import { formatJson, objectIn, parseJson } from "../../../ui/json.ts";
import { namesOf } from "../../../ui/names-of.ts";
import type { Expectation } from "./expectation-words.ts";

type Test = Body<"AgentTest">;
export type Kind = keyof typeof t.kinds;
/** In order of display. */
export const KINDS = namesOf(t.kinds);

/** An expectation as the form holds it. Fields that its kind doesn't use keep their values. */
export interface ExpectationValues {
  kind: Kind;
  /** A text, a tool's name or a disposition. */
  text: string;
  /** JSON; empty for any. */
  arguments: string;
  is: boolean;
  turns: number | undefined;
}

interface MockValues {
  tool: string;
  /** JSON; empty for any. */
  when: string;
  result: string;
}

export interface TestValues {
  name: string;
  steps: string[];
  variables: { name: string; value: string }[];
  mocks: MockValues[];
  expect: ExpectationValues[];
  repeat: number | undefined;
  minPasses: number | undefined;
  required: boolean;
}

export const NEW_EXPECTATION: ExpectationValues = { kind: "said", text: "", arguments: "", is: true, turns: undefined };
export const NEW_TEST: TestValues = {
  name: "",
  steps: [""],
  variables: [],
  mocks: [],
  expect: [],
  repeat: 1,
  minPasses: 1,
  required: false,
};

/** Returns the form's values of a stored test. The user must be allowed to see its content. */
export function valuesOf(test: Test): TestValues {
  const { name, steps, variables, tool_mocks, expect, repeat, min_passes, required } = test;
  return {
    name,
    steps: (steps ?? []).map(({ says }) => says),
    variables: Object.entries(variables ?? {}).map(([name, value]) => ({ name, value })),
    mocks: (tool_mocks ?? []).map(({ tool, when, result }) => ({
      tool,
      when: when == null ? "" : formatJson(when),
      result: formatJson(result ?? null),
    })),
    expect: (expect ?? []).map(fieldsOf),
    repeat,
    minPasses: min_passes,
    required,
  };
}

function fieldsOf(expected: Expectation): ExpectationValues {
  const kind = KINDS.find((name) => expected[name] !== undefined) ?? "said";
  const { said, not_said, tool_called, tool_not_called, disposition, ended, transferred, max_turns, cited } = expected;
  const given = tool_called?.arguments;
  return {
    kind,
    text: said ?? not_said ?? tool_called?.name ?? tool_not_called ?? disposition ?? cited?.document_id ?? "",
    arguments: given === undefined ? "" : formatJson(given),
    is: ended ?? transferred ?? true,
    turns: max_turns,
  };
}

export function testOf({ name, steps, variables, mocks, expect, repeat = 1, minPasses, required }: TestValues) {
  return {
    name,
    steps: steps.map((says) => ({ says })),
    variables: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    tool_mocks: mocks.map(({ tool, when, result }) => {
      const parsed = parseJson(result);
      return { tool, when: objectIn(when) ?? null, result: parsed.ok ? (parsed.value ?? null) : null };
    }),
    expect: expect.map(expectationOf),
    repeat,
    min_passes: minPasses ?? repeat,
    required,
  };
}

function expectationOf({ kind, text, arguments: given, is, turns }: ExpectationValues): Expectation {
  switch (kind) {
    case "tool_called": {
      const wanted = objectIn(given);
      return { tool_called: wanted === undefined ? { name: text } : { name: text, arguments: wanted } };
    }
    case "ended":
      return { ended: is };
    case "transferred":
      return { transferred: is };
    case "cited":
      return { cited: { document_id: text } };
    case "max_turns":
      return { max_turns: turns ?? 0 };
    default:
      return { [kind]: text };
  }
}
