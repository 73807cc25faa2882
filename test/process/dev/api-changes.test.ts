import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { announcedBreaks } from "../../../src/dev/api-changes/announced.ts";
import { breaksBetween } from "../../../src/dev/api-changes/breaks.ts";
import type { OpenApi } from "../../../src/dev/api-changes/document.ts";
import { ROOT } from "../../../src/dev/paths.ts";

/** Returns an API document with a little of everything. */
const released = () => ({
  paths: {
    "/cats": {
      get: {
        operationId: "listCats",
        description: "Every cat",
        security: [{ key: [] as string[] }, { console: [] as string[] }] as Record<string, string[]>[],
        "x-scope": ["read"],
        parameters: [
          { name: "limit", in: "query", required: false, schema: { type: "integer", maximum: 100 } as object },
          { $ref: "#/components/parameters/Trace" },
        ] as object[],
        responses: {
          "200": {
            headers: { "x-request-id": {} } as object,
            content: { "application/json": { schema: { type: "array", items: ref("Cat") } } } as object,
          },
          "404": { $ref: "#/components/responses/NotFound" },
        } as Record<string, object>,
      } as Record<string, unknown>,
      post: {
        operationId: "createCat",
        requestBody: { required: true, content: { "application/json": { schema: ref("NewCat") } } } as object,
        responses: { "201": { content: { "application/json": { schema: ref("Cat") } } } },
      } as Record<string, unknown>,
    } as Record<string, Record<string, unknown>>,
  },
  webhooks: { "cat.fed": { post: { operationId: "onCatFed", requestBody: json(ref("Event")), responses: {} } } },
  components: {
    parameters: { Trace: { name: "trace", in: "header", required: false, schema: { type: "string" } } },
    responses: { NotFound: json(ref("Problem")) },
    schemas: {
      Problem: object({ detail: { type: "string" } }),
      Cat: object({
        name: { type: "string" },
        mood: { type: "string", enum: ["calm", "wild"] },
        born: { type: "string", format: "date-time" },
        owner: { anyOf: [ref("Owner"), { type: "null" }] },
        weight: { type: "number" },
        mother: ref("Cat"),
      }),
      Owner: { allOf: [ref("Named"), object({ since: { type: "integer" } })] },
      Named: object({ name: { type: "string" } }),
      NewCat: {
        type: "object",
        properties: {
          name: { type: "string", minLength: 1, maxLength: 50 },
          mood: { type: ["string", "null"], enum: ["calm", "wild", null] },
          lives: { type: "integer", minimum: 1, maximum: 9 },
          nicknames: { type: "array", items: { type: "string" }, maxItems: 5 },
          food: { oneOf: [food("fish"), food("milk")] },
        },
        required: ["name"],
      },
      Event: { oneOf: [event("cat.fed"), event("cat.lost")] },
    } as Record<string, Json>,
  },
});

type Json = { type?: unknown; properties?: Record<string, object>; required?: string[] } & Record<string, unknown>;
type Document = ReturnType<typeof released>;

function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}
function json(schema: object) {
  return { content: { "application/json": { schema } } };
}
function object(properties: Record<string, object>, required = Object.keys(properties)): Json {
  return { type: "object", properties, required };
}
function food(kind: string) {
  return object({ kind: { type: "string", enum: [kind] }, grams: { type: "integer" } });
}
function event(type: string, ...more: string[]) {
  const data = Object.fromEntries(["cat", ...more].map((name) => [name, { type: "string" }]));
  return object({ type: { type: "string", enum: [type] }, data: object(data) });
}

const schemas = (document: Document) => document.components.schemas as Record<string, Json>;
/** Replaces or removes a field of a component. */
function put(component: string, field: string, schema: object | undefined) {
  return (document: Document) => {
    const properties = (schemas(document)[component] as Json).properties as Record<string, object>;
    if (schema) properties[field] = schema;
    else delete properties[field];
  };
}
const operation = (document: Document, method = "get") =>
  document.paths["/cats"][method] as Record<string, unknown> & { responses: Record<string, Record<string, unknown>> };
const set = (method: string, name: string, value: unknown) => (document: Document) => {
  operation(document, method)[name] = value;
};

/** A change and its reported findings. */
const BREAKS: [string, (document: Document) => void, ...string[]][] = [
  ["an operation removed", (d) => delete d.paths["/cats"].post, "createCat: is removed (post /cats)"],
  ["an operation id", set("get", "operationId", "cats"), "listCats: has the operation id cats, was listCats"],
  ["a scope newly required", set("get", "x-scope", ["read", "listen"]), "listCats: requires the scope listen"],
  [
    "a scope newly required of named scopes",
    set("get", "x-scope-if-named", [["build"], ["manage"]]),
    "listCats: requires of named scopes build or manage",
  ],
  ["a way to sign in fewer", set("get", "security", [{ key: [] }]), "listCats: no longer accepts console"],
  [
    "a sign-in where none was needed",
    set("post", "security", [{ key: [] }]),
    "createCat: no longer accepts requests without credentials",
  ],
  [
    "parameters removed",
    set("get", "parameters", []),
    "listCats: query parameter limit is removed",
    "listCats: header parameter trace is removed",
  ],
  [
    "a parameter newly required",
    (d) => Object.assign(d.components.parameters.Trace, { required: true }),
    "listCats: header parameter trace is required",
  ],
  [
    "a parameter narrowed",
    (d) => Object.assign((operation(d).parameters as { schema: object }[])[0]?.schema ?? {}, { maximum: 50 }),
    "listCats: query parameter limit has maximum 50, was 100",
  ],
  [
    "a success status changed",
    (d) => {
      operation(d, "post").responses = { "202": {} };
    },
    "createCat: may respond with 202",
    "createCat: no longer responds with 201",
  ],
  [
    "a header of answers removed",
    (d) => Object.assign(operation(d).responses["200"] ?? {}, { headers: {} }),
    "listCats: 200 no longer has the header x-request-id",
  ],
  [
    "a media type of answers removed",
    (d) => Object.assign(operation(d).responses["200"] ?? {}, { content: {} }),
    "listCats: 200 is no longer application/json",
  ],
  ["a field of answers removed", put("Cat", "name", undefined), "Cat: name is removed"],
  [
    "a field of answers optional",
    (d) => Object.assign(schemas(d).Cat ?? {}, { required: ["mood", "born", "owner", "weight", "mother"] }),
    "Cat: name may be missing in answers",
  ],
  ["a field of answers nullable", put("Cat", "name", { type: ["string", "null"] }), "Cat: name may be null in answers"],
  [
    "a referred field of answers nullable",
    put("Cat", "mother", { anyOf: [ref("Cat"), { type: "null" }] }),
    "Cat: mother may be null in answers",
  ],
  ["another type in answers", put("Cat", "weight", { type: "string" }), "Cat: weight may be string in answers"],
  [
    "items of answers that are anything",
    (d) => Object.assign(operation(d).responses["200"] ?? {}, json({ type: "array" })),
    "listCats: 200[] is no longer described",
  ],
  ["no type in answers", put("Cat", "weight", {}), "Cat: weight may be anything in answers"],
  [
    "another format in answers",
    put("Cat", "born", { type: "string", format: "date" }),
    "Cat: born has the format date, was date-time",
  ],
  ["a field of a part removed", put("Named", "name", undefined), "Owner: name is removed"],
  ["a field of errors removed", put("Problem", "detail", undefined), "Problem: detail is removed"],
  [
    "a field of an event removed",
    (d) =>
      Object.assign(schemas(d).Event ?? {}, {
        oneOf: [event("cat.fed"), object({ type: { type: "string", enum: ["cat.lost"] } })],
      }),
    "Event: data is removed",
  ],
  ["an event removed", (d) => Object.assign(d, { webhooks: {} }), "onCatFed: is removed (post cat.fed)"],
  [
    "a body newly required",
    (d) => {
      Object.assign(operation(d), { requestBody: { required: true, content: {} } });
    },
    "listCats: requires a body",
  ],
  ["a body removed", set("post", "requestBody", undefined), "createCat: body is no longer application/json"],
  [
    "a field of requests required",
    (d) => Object.assign(schemas(d).NewCat ?? {}, { required: ["name", "mood"] }),
    "NewCat: mood is required",
  ],
  ["a field of requests removed", put("NewCat", "lives", undefined), "NewCat: lives is removed"],
  [
    "other fields of requests refused",
    (d) => Object.assign(schemas(d).NewCat ?? {}, { additionalProperties: false }),
    "NewCat: * is refused",
  ],
  [
    "a value of requests removed",
    put("NewCat", "mood", { type: ["string", "null"], enum: ["calm", null] }),
    "NewCat: mood no longer accepts wild",
  ],
  [
    "null refused in requests",
    put("NewCat", "mood", { type: "string", enum: ["calm", "wild"] }),
    "NewCat: mood is refused if it is null",
  ],
  [
    "bounds of requests narrowed",
    put("NewCat", "lives", { type: "integer", minimum: 2, maximum: 7 }),
    "NewCat: lives has minimum 2, was 1",
    "NewCat: lives has maximum 7, was 9",
  ],
  [
    "a pattern, a format and values of requests new",
    put("NewCat", "name", { type: "string", pattern: "^[a-z]+$", format: "email", enum: ["tom"] }),
    "NewCat: name only accepts tom",
    "NewCat: name has the format email, was none",
    "NewCat: name has the pattern ^[a-z]+$, was none",
  ],
  ["another type in requests", put("NewCat", "lives", { type: "string" }), "NewCat: lives no longer accepts integer"],
  [
    "items of requests narrowed",
    put("NewCat", "nicknames", { type: "array", items: { type: "string", maxLength: 9 }, maxItems: 4 }),
    "NewCat: nicknames has maxItems 4, was 5",
    "NewCat: nicknames[] has maxLength 9, was none",
  ],
  [
    "a kind of requests removed",
    put("NewCat", "food", { oneOf: [food("fish")] }),
    "NewCat: food.kind no longer accepts milk",
  ],
];

const COMPATIBLE: [string, (document: Document) => void][] = [
  ["an operation added", (d) => Object.assign(d.paths, { "/dogs": { get: { operationId: "listDogs" } } })],
  ["a description changed", set("get", "description", "All cats")],
  ["a scope fewer", set("get", "x-scope", [])],
  ["a scope of named scopes that everybody needs anyway", set("get", "x-scope-if-named", [["read"], ["build"]])],
  ["a way to sign in more", set("get", "security", [{ key: [] }, { console: [] }, { session: [] }])],
  ["no sign-in needed", set("get", "security", [])],
  ["a field of requests added", put("NewCat", "color", { type: "string" })],
  ["a field of answers added", put("Cat", "color", { type: "string" })],
  ["a value of answers added", put("Cat", "mood", { type: "string", enum: ["calm", "wild", "sleepy"] })],
  ["an integer in answers", put("Cat", "weight", { type: "integer" })],
  ["null no longer in answers", put("Cat", "owner", ref("Owner"))],
  [
    "a reference in place of its parts",
    put("Cat", "owner", {
      anyOf: [{ type: "null" }, object({ name: { type: "string" }, since: { type: "integer" } })],
    }),
  ],
  ["bounds of requests wider", put("NewCat", "lives", { type: "number", minimum: 0, maximum: 10 })],
  ["bounds of requests gone", put("NewCat", "name", { type: "string" })],
  ["a kind of requests more", put("NewCat", "food", { oneOf: [food("fish"), food("milk"), food("mouse")] })],
  ["a field of requests optional", (d) => Object.assign(schemas(d).NewCat ?? {}, { required: [] })],
  ["a parameter added", (d) => (operation(d).parameters as object[]).push({ name: "after", in: "query" })],
  [
    "an error status more and one fewer",
    (d) => Object.assign(operation(d), { responses: { "200": operation(d).responses["200"], "409": {} } }),
  ],
  [
    "a 304, which only who sends If-None-Match gets",
    (d) => {
      operation(d).responses["304"] = {};
    },
  ],
  [
    "a type of event more",
    (d) =>
      Object.assign(schemas(d).Event ?? {}, { oneOf: [event("cat.fed"), event("cat.lost"), event("cat.found", "by")] }),
  ],
];

const breaksOf = (before: unknown, after: unknown) =>
  breaksBetween(before as OpenApi, after as OpenApi).map(({ subject, change }) => `${subject}: ${change}`);

describe("a change of the API", () => {
  it.each(BREAKS)("a change of the API breaks clients: %s", (_, change, ...expected) => {
    const after = released();
    change(after);
    expect(breaksOf(released(), after)).toEqual(expected);
  });

  it.each(COMPATIBLE)("a change of the API breaks no client: %s", (_, change) => {
    const after = released();
    change(after);
    expect(after).not.toEqual(released());
    expect(breaksOf(released(), after)).toEqual([]);
  });

  it("a change of the API is not found between a release and itself", async () => {
    const folder = join(ROOT, "docs/releases");
    const files = (await readdir(folder)).filter((file) => file.startsWith("openapi-"));
    expect(files).toContain("openapi-0.2.0.json");
    for (const file of files) {
      const document = JSON.parse(await readFile(join(folder, file), "utf8"));
      expect(breaksOf(document, document)).toEqual([]);
    }
  });
});

describe("the change log", () => {
  const log = (entries: string) =>
    `# Change log\n\n## [Unreleased]\n\n${entries}\n\n## [0.1.0]\n\n### Changed\n\n- **Breaking:** \`Old\`\n`;

  it("announces breaks by entries under Changed and Removed of the newest heading", () => {
    const changed = "### Changed\n\n- **Breaking:** `Cat` has no\n  `listCats` any more.\n- `Dog` is brown.";
    const removed = "### Removed\n\n- **Breaking:** `createCat`";
    const added = "### Added\n\n- **Breaking:** `Event`";
    const announced = announcedBreaks(log(`${added}\n\n${changed}\n\n${removed}`));
    expect([...announced]).toEqual(["Cat", "listCats", "createCat"]);
  });

  it("does not announce breaks by its older headings", () => {
    expect(announcedBreaks(log("### Added\n\n- Dogs.")).size).toBe(0);
  });
});
