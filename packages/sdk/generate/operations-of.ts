import { GROUPS, type Group } from "./groups.ts";

interface Reference {
  $ref?: string;
}

interface JsonSchema extends Reference {
  type?: string;
  items?: Reference;
  properties?: Record<string, JsonSchema>;
}

interface Operation {
  operationId?: string;
  summary?: string;
  parameters?: { name?: string; in?: string; schema?: JsonSchema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: Reference }> };
  responses: Record<string, { content?: Record<string, { schema?: JsonSchema }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

const HEAD = `import type { List } from "./pages.ts";
import { Resource, withParams } from "./resource.ts";
import type { Answer, CallOptions, Query, Schema } from "./types.ts";
`;
/** Content types of files, which are returned unread. */
const FILES = new Set(["text/csv", "application/x-ndjson"]);

/**
 * Returns a module with the client's groups of methods, each method an operation of the OpenAPI document.
 * @throws Error if a group names an operation that the document does not have
 */
export function operationsOf(document: unknown, groups: Record<string, Group> = GROUPS): string {
  const { paths, components } = document as Document;
  const operations = new Map<string, Method>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId) operations.set(operation.operationId, new Method(method, path, operation, components));
  const classes = Object.entries(groups).map(([name, { about, methods }]) => {
    const written = Object.entries(methods).map(([as, id]) => {
      const method = operations.get(id);
      if (!method) throw new Error(`${name}.${as}: the API has no operation ${id}`);
      return method.written(as);
    });
    return `\n/** ${about} */\nexport class ${name} extends Resource {\n${written.join("\n")}}\n`;
  });
  return HEAD + classes.join("");
}

class Method {
  readonly #method: string;
  readonly #path: string;
  readonly #operation: Operation;
  readonly #schemas: Record<string, JsonSchema>;

  constructor(method: string, path: string, operation: Operation, { schemas }: Document["components"]) {
    this.#method = method.toUpperCase();
    this.#path = path;
    this.#operation = operation;
    this.#schemas = schemas;
  }

  /** Returns the method's source under this name. */
  written(name: string): string {
    const [type, answer] = this.#answer();
    const list = this.#list(answer);
    const isFile = FILES.has(type);
    const { summary = "", requestBody, parameters = [] } = this.#operation;
    const inPath = parameters.filter((each) => each.in === "path");
    const path = inPath.map((each) => each.name).join(", ");
    const hasQuery = parameters.some((each) => each.in === "query");
    const takesQuery = list !== undefined || isFile || (this.#method === "GET" && hasQuery && path === "");
    const body = requestBody?.content["application/json"]?.schema;
    const query = `Query<"${this.#path}">`;
    const takes = [
      ...inPath.map((each) => `${each.name}: ${each.schema?.type === "integer" ? "number" : "string"}`),
      body && `body: ${typeOf(body)}${requestBody?.required ? "" : " = {}"}`,
      takesQuery && (list || isFile ? `query?: ${query}` : `query: ${query} = {}`),
      "options?: CallOptions",
    ].filter(Boolean);
    const params = [path && `path: { ${path} }`, takesQuery && "query"].filter(Boolean).join(", ");
    const given = [params && `params: { ${params} }`, body && "body"].filter(Boolean).join(", ");
    const options = given ? `withParams(options, { ${given} })` : "options";
    const [returns, does] = list
      ? [
          `List<${list.item}, ${this.#typeOfAnswer()}>`,
          `this.listOf("${this.#path}", ${list.itemsOf}, { ${path && `path: { ${path} }, `}query, options })`,
        ]
      : isFile
        ? ["Promise<Response>", `this.file("${this.#path}", { ${path} }, query, options)`]
        : [
            `Promise<${answer ? typeOf(answer) : "undefined"}>`,
            `this.call("${this.#method}", "${this.#path}", ${options})`,
          ];
    return `  /** ${summary}. */\n  ${name}(${takes.join(", ")}): ${returns} {\n    return ${does};\n  }\n`;
  }

  /** Returns the content type and schema of the successful answer. */
  #answer(): [type: string, schema?: JsonSchema | undefined] {
    const [, response] = Object.entries(this.#operation.responses).find(([status]) => status.startsWith("2")) ?? [];
    const [type, content] = Object.entries(response?.content ?? {})[0] ?? [""];
    return [type, content?.schema];
  }

  #typeOfAnswer(): string {
    return `Answer<"${this.#method}", "${this.#path}">`;
  }

  /** Returns the items of a list: those of an array, or of the only array in a page. */
  #list(answer: JsonSchema | undefined): { item: string; itemsOf: string } | undefined {
    if (this.#method !== "GET" || !this.#operation.operationId?.startsWith("list") || !answer) return undefined;
    const page = answer.$ref ? this.#schemas[nameOf(answer.$ref)] : answer;
    if (page?.items) return { item: typeOf(page.items), itemsOf: "(page) => page" };
    const [name, items] = Object.entries(page?.properties ?? {}).find(([, { type }]) => type === "array") ?? [];
    if (!items?.items?.$ref) return undefined;
    return { item: typeOf(items.items), itemsOf: `(page) => page.${name}` };
  }
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf("/") + 1);

/** Returns a schema's type: its name, or text. */
function typeOf({ $ref, type }: JsonSchema): string {
  if ($ref) return `Schema<"${nameOf($ref)}">`;
  if (type === "string") return "string";
  throw new Error("a body without a name has no type in the client");
}
