import { z } from "zod";
import { bodyAs, hasHeaders, JSON_TYPE, json, utc, type Vendor } from "./vendor.ts";

/* developers.hubspot.com/docs/api-reference/2026-03/crm: search the CRM, contacts, tasks. */

/** Contact properties that every account has. */
const contact = z
  .strictObject({
    firstname: z.string(),
    lastname: z.string(),
    email: z.email(),
    phone: z.string(),
    message: z.string(),
    hs_lead_status: z.enum([
      "NEW",
      "OPEN",
      "IN_PROGRESS",
      "OPEN_DEAL",
      "UNQUALIFIED",
      "ATTEMPTED_TO_CONTACT",
      "CONNECTED",
      "BAD_TIMING",
    ]),
  })
  .partial()
  .refine(({ firstname, lastname, email }) => firstname || lastname || email);
const search = z.strictObject({
  query: z.string().max(3000).optional(),
  limit: z.int().min(1).max(200).optional(),
  properties: z.array(z.enum(["firstname", "lastname", "email", "phone", "company", "lifecyclestage"])).optional(),
});
const task = z.strictObject({
  hs_timestamp: utc,
  hs_task_subject: z.string().optional(),
  hs_task_body: z.string().optional(),
  hs_task_status: z.enum(["COMPLETED", "NOT_STARTED"]).optional(),
  hs_task_priority: z.enum(["LOW", "MEDIUM", "HIGH"]).optional(),
  hs_task_type: z.enum(["EMAIL", "CALL", "TODO"]).optional(),
});
const propertiesOf = <T extends z.ZodType>(properties: T) => z.strictObject({ properties });

const CORRELATION = "aeb5f871-7f07-4993-9211-075dc63e7cbf";
const refuse = (status: number, category: string, message: string) =>
  json(status, { status: "error", message, correlationId: CORRELATION, category });
const record = (id: string, properties: object) => ({
  id,
  properties,
  createdAt: "2026-03-01T12:00:00.000Z",
  updatedAt: "2026-03-01T12:00:00.000Z",
  archived: false,
});

export const hubspot: Vendor = {
  host: "api.hubapi.com",
  answer(request) {
    const { method, url, headers } = request;
    const auth = { authorization: "Bearer pat-eu1-1" };
    if (headers.get("authorization") !== auth.authorization) {
      return refuse(401, "INVALID_AUTHENTICATION", "Authentication credentials not found.");
    }
    const bad = () => refuse(400, "VALIDATION_ERROR", "Property values were not valid");
    if (url.search !== "" || !hasHeaders(request, Object.assign({}, auth, JSON_TYPE))) return bad();
    switch (`${method} ${url.pathname}`) {
      case "POST /crm/objects/2026-03/contacts/search": {
        const parsed = bodyAs(search, request);
        if (!parsed) return bad();
        if (parsed.query !== "+436601234567") return json(200, { total: 0, results: [] });
        return json(200, { total: 1, results: [record("512", { firstname: "Ava", phone: "+436601234567" })] });
      }
      case "POST /crm/objects/2026-03/contacts": {
        const parsed = bodyAs(propertiesOf(contact), request);
        if (!parsed) return bad();
        if (parsed.properties.email === "known@example.com") {
          return refuse(409, "CONFLICT", "Contact already exists. Existing ID: 512");
        }
        return json(201, record("513", parsed.properties));
      }
      case "POST /crm/objects/2026-03/tasks": {
        const parsed = bodyAs(propertiesOf(task), request);
        return parsed ? json(201, record("7001", parsed.properties)) : bad();
      }
      default:
        return new Response("", { status: 404 });
    }
  },
};
