import { describe, expect, it } from "vitest";
import { operationsOf } from "../../packages/sdk/generate/operations-of.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (name: string) => ({ content: { "application/json": { schema: ref(name) } } });
const ID = { name: "id", in: "path", schema: { type: "string" } };
const DOCUMENT = {
  components: {
    schemas: {
      ListCallsResponse: { properties: { calls: { type: "array", items: ref("Call") }, next: { type: "string" } } },
    },
  },
  paths: {
    "/calls": {
      get: {
        operationId: "listCalls",
        summary: "List calls",
        parameters: [{ name: "limit", in: "query" }],
        responses: { 200: json("ListCallsResponse") },
      },
    },
    "/calls/export": {
      get: {
        operationId: "exportCalls",
        summary: "Download calls",
        responses: { 200: { content: { "text/csv": {} } } },
      },
    },
    "/calls/{id}": {
      patch: {
        operationId: "updateCall",
        summary: "Change a call",
        parameters: [ID],
        requestBody: { required: true, ...json("UpdateCallRequest") },
        responses: { 200: json("Call") },
      },
      delete: { operationId: "deleteCall", summary: "Delete a call", parameters: [ID], responses: { 204: {} } },
    },
  },
};
const generated = (methods: Record<string, string>) => operationsOf(DOCUMENT, { Calls: { about: "Calls.", methods } });

describe("the SDK's methods", () => {
  it.each([
    ["listCalls", `(query?: Query<"/calls">, options?: CallOptions): List<Schema<"Call">, Answer<"GET", "/calls">> {`],
    ["exportCalls", `(query?: Query<"/calls/export">, options?: CallOptions): Promise<Response> {`],
    ["updateCall", `(id: string, body: Schema<"UpdateCallRequest">, options?: CallOptions): Promise<Schema<"Call">> {`],
    ["deleteCall", `(id: string, options?: CallOptions): Promise<undefined> {`],
  ])("the SDK's method has the parameters and the result of %s", (operation, signature) => {
    expect(generated({ method: operation })).toContain(`\n  method${signature}`);
  });

  it("an SDK method is refused if the API has no such operation", () => {
    expect(() => generated({ move: "moveCall" })).toThrow("Calls.move: the API has no operation moveCall");
  });
});
