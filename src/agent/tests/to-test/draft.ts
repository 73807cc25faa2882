import { REDACT_KINDS, type TestExpectation, type ToolMock } from "../../../kernel/db/schema/index.ts";
import { canonicalJson } from "../../../kernel/http/canonical-json.ts";
import { jsonBytes, MAX_VARIABLES } from "../../../kernel/http/fields.ts";
import { beginningOf } from "../../../kernel/http/plain-text.ts";
import type { ConversationDetail, ToolUse } from "../../../records/conversations/record.ts";
import { redactText, redactTexts } from "../../../records/privacy/redaction/redact.ts";
import { KEYPAD } from "../../../records/privacy/redaction/redact-conversation.ts";
import { redactJson } from "../../../records/privacy/redaction/redact-json.ts";
import type { StoragePolicy } from "../../../records/privacy/redaction/storage-policy.ts";
import { isBuiltIn } from "../../tools/built-in-names.ts";
import {
  MAX_DISPOSITION_CHARS,
  MAX_MOCKS,
  MAX_STEP_CHARS,
  MAX_STEPS,
  MAX_VARIABLES_KB,
  type NewTest,
} from "../fields.ts";

/** The kinds that are masked in every test, regardless of the agent's own storage setting. */
const ALWAYS = ["phone", "card", "email"] as const;
/**
 * The maximum number of bytes of all that the person said, and of all tool results. It is slightly below the limit of a
 * field.
 */
const MAX_LIST_BYTES = 60 * 1024;

/** Returns the kinds of data to mask under this policy. */
function kindsOf({ storage, redact }: StoragePolicy): ReadonlySet<(typeof REDACT_KINDS)[number]> {
  if (storage === "metadata") return new Set(REDACT_KINDS);
  return new Set([...ALWAYS, ...(storage === "redacted" ? redact : [])]);
}

type Draft = Pick<NewTest, "steps" | "variables" | "tool_mocks" | "expect">;

/**
 * Creates a test from what was said and done in a conversation, within the limits of tests. It depends only on the
 * record. Phone numbers, card numbers and e-mail addresses are always masked.
 */
export function draftOf({ turns, variables, disposition }: ConversationDetail, policy: StoragePolicy): Draft {
  const kinds = kindsOf(policy);
  const spokenTexts = turns.flatMap(({ role, text }) => (role === "user" ? [text] : []));
  const words = redactTexts(spokenTexts, kinds).texts.map((text, n) =>
    spokenTexts[n]?.startsWith(KEYPAD) ? KEYPAD : text.trim(),
  );
  const steps = words.map((text) => ({ says: plain(text, MAX_STEP_CHARS) })).filter(({ says }) => says !== "");
  const used = turns.flatMap(({ tool_call }) => tool_call ?? []).filter(({ name }) => !isBuiltIn(name));
  return {
    steps: within(MAX_LIST_BYTES, steps).slice(0, MAX_STEPS),
    variables: variablesOf(variables, kinds),
    tool_mocks: mocksOf(used, kinds),
    expect: expectationsOf(
      turns.flatMap(({ tool_call }) => tool_call ?? []),
      plain(redactText(disposition ?? "", kinds), MAX_DISPOSITION_CHARS),
    ),
  };
}

/**
 * Makes a text acceptable to the fields of tests. A runtime may report any text, and a mask may be longer than what it
 * replaces.
 */
function plain(text: string, mostChars: number): string {
  return beginningOf(text.toWellFormed().replaceAll("\0", "").trim(), mostChars).trim();
}

/** Returns the first items that fit into this many bytes together. */
function within<T>(bytes: number, items: readonly T[]): T[] {
  let sum = 0;
  const past = items.findIndex((item) => {
    sum += jsonBytes(item);
    return sum > bytes;
  });
  return past === -1 ? [...items] : items.slice(0, past);
}

/** Returns the variables, up to the maximum number that a test may have. */
function variablesOf(variables: ConversationDetail["variables"], kinds: ReturnType<typeof kindsOf>) {
  const shown = Object.entries(variables).map(([name, value]) => [redactText(name, kinds), redactText(value, kinds)]);
  // Two names may become the same when they are masked.
  const each = Object.entries<string>(Object.fromEntries(shown)).slice(0, MAX_VARIABLES);
  return Object.fromEntries(within(MAX_VARIABLES_KB * 1024 - 2, each));
}

/** Returns the mocks of each tool, by its arguments. Calls whose arguments were masked are omitted. */
function mocksOf(used: ToolUse[], kinds: ReturnType<typeof kindsOf>): ToolMock[] {
  const mocks = new Map<string, ToolMock>();
  for (const { name, arguments: given, ok, result } of used) {
    if (ok !== true) continue;
    const plain = Object.entries(given).filter(
      ([key, value]) => canonicalJson(redactJson({ [key]: value }, kinds)) === canonicalJson({ [key]: value }),
    );
    const when = plain.length === 0 ? null : Object.fromEntries(plain);
    const mock = { tool: name, when, result: redactJson(result, kinds) };
    const key = `${name} ${canonicalJson(when)}`;
    if (!mocks.has(key)) mocks.set(key, mock);
  }
  return within(MAX_LIST_BYTES, [...mocks.values()]).slice(0, MAX_MOCKS);
}

/** Returns the expectations that the same tools are called and the outcome is the same. */
function expectationsOf(used: ToolUse[], disposition: string): TestExpectation[] {
  const names = [...new Set(used.filter(({ ok }) => ok === true).map(({ name }) => name))];
  const acting = names.filter((name) => !isBuiltIn(name)).map((name) => ({ tool_called: { name } }));
  const ended = names.includes("end_call") ? [{ ended: true }] : [];
  const transferred = names.includes("transfer_call") ? [{ transferred: true }] : [];
  return [...acting.slice(0, 20), ...(disposition === "" ? [] : [{ disposition }]), ...ended, ...transferred];
}
