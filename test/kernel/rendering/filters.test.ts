import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namesWithoutDefault, templateFault } from "../../../src/kernel/rendering/placeholders.ts";
import { render } from "../../../src/kernel/rendering/render.ts";
import { type Variable, valuesOf } from "../../../src/kernel/rendering/variables.ts";
import { upload } from "../../campaign/support.ts";
import { tenant } from "../../support/client.ts";

const rendered = (template: string, ...variables: Variable[]) => render(template, valuesOf(variables));

describe("a default", () => {
  it.each([
    '{{ first_name | default: "there" }}',
    "{{ first_name | default: 'there' }}",
    "{{first_name|default:'there'}}",
    '{{ first_name | default("there") }}',
    "{{ first_name | default('there') }}",
    "{{ first_name | default('there', true) }}",
    '{{ first_name | Default: "there" }}',
    "{{ first_name | default: \u201cthere\u201d }}",
    "{{first_name|there}}",
    "{{ first_name | there }}",
  ])("a default is recognized in %s", (template) => {
    expect(rendered(template)).toEqual({ text: "there", missing: [] });
    expect(rendered(template, ["First Name", "Ada"]).text).toBe("Ada");
    expect(templateFault(template)).toBeNull();
    expect(namesWithoutDefault(template)).toEqual([]);
  });

  it.each([
    ['{{x|default: "say \\"hi\\""}}', 'say "hi"'],
    ['{{x|default: "it\'s"}}', "it's"],
    ['{{x|default: ""}}', ""],
    ['{{x|default: "a|b"}}', "a|b"],
    ["{{x|a|b}}", "a|b"],
    ["{{x|Note: none}}", "Note: none"],
    ["{{x|our customer}}", "our customer"],
    ["{{x|}}", ""],
  ])("a default in %s keeps all of its text", (template, text) => {
    expect(rendered(template)).toEqual({ text, missing: [] });
    expect(templateFault(template)).toBeNull();
  });

  it("written as a filter is the same text as in plain words, for any text without braces, bars and quotes", () => {
    const plain = fc.stringMatching(/^[A-Z][A-Za-z0-9 ,.!?-]{0,30}[a-z.!]$/);
    fc.assert(
      fc.property(plain, fc.constantFrom('"', "'"), (words, quote) => {
        expect(rendered(`{{x | default: ${quote}${words}${quote} }}`).text).toBe(words);
        expect(rendered(`{{x | default(${quote}${words}${quote}) }}`).text).toBe(words);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a filter other than default", () => {
  it.each([
    ["{{ first_name | upcase }}", "upcase"],
    ["{{ first_name | capitalize | default: 'there' }}", "capitalize"],
    ["{{ first_name | default: 'there' | upcase }}", "default"],
    ['{{ date | date: "%B" }}', "date"],
    ["{{ name | truncate: 10 }}", "truncate"],
    ["{{ name | replace('a', 'b') }}", "replace"],
    ["{{ name | d('there') }}", "d"],
    ["{{ name | default: there }}", "default"],
    ["{{ name | default }}", "default"],
    ["{{ name | default('there' }}", "default"],
    ["{{ name | default: 'there\" }}", "default"],
  ])("a filter other than default is found in %s", (template, filter) => {
    expect(templateFault(`Hello ${template}!`)).toContain(
      filter === "default" ? "must give the default in quotes" : `must not use the filter ${filter},`,
    );
  });

  it("an unknown filter is refused with a sentence that shows what to write", async () => {
    const { server } = await tenant();
    const texts = { greeting_message: "Hi {{ name | upcase }}" };
    const created = await server.post<string>("/api/v1/agents", { name: "Ada", ...texts });
    const sentence =
      "greeting_message: must not use the filter upcase, as in {{ name | upcase }}: the only filter is default, as in " +
      '{{name | default: "there"}}';
    expect([created.status, created.body]).toEqual([400, sentence]);
    const { id } = (await server.post<{ id: string }>("/api/v1/agents", { name: "Ada" })).body;
    const path = `/api/v1/agents/${id}`;
    for (const field of ["system_prompt", "greeting_message", "voicemail_message"])
      expect.soft((await server.patch(path, { [field]: "{{x|truncate: 3}}" })).status, field).toBe(400);
    const campaign = { voicemail_message: "{{x|upper}}" };
    expect((await upload(server, "phone_number\n+12025550111\n", campaign)).status).toBe(400);
    expect((await server.patch(path, { system_prompt: '{{x|default: "y"}} {{"ok": true}}' })).status).toBe(200);
  });
});

describe("JSON in braces", () => {
  it.each(['{{"ok": true}}', '{{ "a": "b|c" }}', "{{'ok': true}}", '{{"a": {"b": 1}}}', '[{{"ok": 1}, {"x": 2}}]'])(
    "JSON in braces is text: %s",
    (template) => {
      expect(rendered(template)).toEqual({ text: template, missing: [] });
      expect(templateFault(template)).toBeNull();
    },
  );

  it("leaves placeholders around it as they are", () => {
    expect(rendered('{{"a": "{{x}}"}} {{x}}', ["x", "1"]).text).toBe('{{"a": "1"}} 1');
  });
});
