import type { Tenant } from "../support/client.ts";

/**
 * How to make, in one account, the rows an endpoint's path names, so that another account can try to reach them. One
 * line per endpoint: `METHOD /path` → the values of its parameters in order, and the body to send if it needs one.
 */
export interface ForeignRow {
  params: (owner: Tenant) => Promise<string[]>;
  body?: unknown;
}

/** An endpoint that names no row of an account, and what keeps its accounts apart instead. */
export type NoRow = { none: "list" | "create" | "operator" | "public" };

const list: NoRow = { none: "list" };
const create: NoRow = { none: "create" };
const operator: NoRow = { none: "operator" };
const open: NoRow = { none: "public" };

const agent = async ({ user }: Tenant) => [
  (await user.post<{ id: string }>("/api/v1/agents", { name: "theirs" })).body.id,
];
const apiKey = async ({ key }: Tenant) => [key.id];

/** Every endpoint of the service; the test fails on one that is not here. */
export const CASES: Record<string, ForeignRow | NoRow> = {
  "GET /.well-known/jwks.json": open,
  "GET /api/accounts": open,
  "GET /api/accounts/validate/{account}": open,
  "POST /api/login": open,
  "GET /api/login": open,
  "GET /openapi.json": open,
  "GET /docs": open,

  "GET /api/admin/v1/accounts": operator,
  "POST /api/admin/v1/accounts": operator,
  "GET /api/admin/v1/accounts/{account}": operator,
  "PATCH /api/admin/v1/accounts/{account}": operator,
  "GET /api/admin/v1/accounts/{account}/users": operator,
  "POST /api/admin/v1/accounts/{account}/users": operator,
  "DELETE /api/admin/v1/accounts/{account}/users/{userId}": operator,

  "GET /api/v1/agents": list,
  "POST /api/v1/agents": create,
  "GET /api/v1/agents/{id}": { params: agent },
  "PATCH /api/v1/agents/{id}": { params: agent, body: { name: "mine now" } },
  "DELETE /api/v1/agents/{id}": { params: agent },

  "GET /api/v1/api-keys": list,
  "POST /api/v1/api-keys": create,
  "PATCH /api/v1/api-keys/{id}": { params: apiKey, body: { disabled: true } },
  "DELETE /api/v1/api-keys/{id}": { params: apiKey },
};
