import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { timestamp, uuid } from "../http/fields.ts";
import { pageOf, paging } from "../http/paging.ts";

export const listAuditLog = endpoint({
  method: "get",
  path: "/api/v1/audit-log",
  access: "account",
  tag: "Audit log",
  operationId: "listAuditEntries",
  summary: "Who changed what, newest first",
  description: "Every change of the account's configuration, with its author and the id of the request that made it.",
  query: z.object(paging()),
  status: 200,
  response: pageOf(
    "entries",
    z
      .object({
        id: uuid,
        at: timestamp,
        actor: z.string(),
        action: z.string(),
        resource: z.string(),
        resource_id: z.string(),
        request_id: z.string(),
      })
      .openapi("AuditEntry"),
  ),
});
