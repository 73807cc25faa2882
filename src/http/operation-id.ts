import type { Endpoint } from "./endpoint.ts";

const VERBS = { get: "get", post: "create", put: "put", patch: "update", delete: "delete" };

/**
 * The name generated clients give an endpoint, derived from what never changes: `GET /api/v1/agents` → `listAgents`,
 * `POST /api/v1/campaigns/{id}/start` → `startCampaign`.
 */
export function operationId({ method, path, operationId }: Pick<Endpoint, "method" | "path" | "operationId">): string {
  if (operationId) return operationId;
  const parts = path.split("/").filter((part) => part !== "" && part !== "api" && part !== "v1");
  const names = parts.filter((part) => !part.startsWith("{"));
  const last = names.pop() ?? "";
  const ofOne = parts.at(-1)?.startsWith("{") === true;
  const parents = names.map((name) => pascal(singular(name))).join("");
  if (method === "get" && !ofOne && last.endsWith("s")) return `list${parents}${pascal(last)}`;
  if (method === "post" && !last.endsWith("s")) return `${camel(last)}${parents}`;
  return `${VERBS[method]}${parents}${pascal(singular(last))}`;
}

const singular = (word: string) => word.replace(/ies$/, "y").replace(/s$/, "");
const pascal = (text: string) => text.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter) => letter.toUpperCase());
const camel = (text: string) => pascal(text).replace(/^./, (letter) => letter.toLowerCase());
