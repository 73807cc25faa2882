import { z } from "zod";
import {
  bodyAs,
  hasHeaders,
  JSON_TYPE,
  json,
  pairsAs,
  timeZone,
  utc,
  type Vendor,
  type VendorRequest,
} from "./vendor.ts";

/* cal.com/docs/api-reference/v2: slots, bookings. */

const slots = z.strictObject({
  eventTypeId: z.string().regex(/^[1-9]\d*$/),
  start: z.union([z.iso.date(), utc]),
  end: z.union([z.iso.date(), utc]),
  timeZone: timeZone.optional(),
});
const list = z.strictObject({
  attendeeEmail: z.email(),
  status: z.enum(["upcoming", "recurring", "past", "cancelled", "unconfirmed"]).optional(),
  sortStart: z.enum(["asc", "desc"]).optional(),
  take: z.coerce.number().int().min(1).max(250).optional(),
});
const booking = z.strictObject({
  start: utc,
  eventTypeId: z.int(),
  attendee: z.strictObject({
    name: z.string().min(1),
    email: z.email(),
    timeZone,
    phoneNumber: z.string().startsWith("+").optional(),
  }),
});
const move = z.strictObject({ start: utc, reschedulingReason: z.string().optional() });
const cancel = z.strictObject({ cancellationReason: z.string() });

function refuse(status: number, code: string, message: string, { url }: VendorRequest): Response {
  const error = { code, message, details: { message, error: code, statusCode: status } };
  return json(status, { status: "error", timestamp: "2026-03-01T12:00:00.000Z", path: url.pathname, error });
}

const booked = (change: Record<string, unknown>) => ({
  id: 123,
  uid: "bk_1",
  title: "Consultation",
  hosts: [{ id: 1, name: "Jane Doe", timeZone: "Europe/Vienna" }],
  status: "accepted",
  start: "2026-03-09T08:00:00.000Z",
  end: "2026-03-09T08:30:00.000Z",
  duration: 30,
  eventType: { id: 42, slug: "consultation" },
  ...change,
});

export const calCom: Vendor = {
  host: "api.cal.com",
  answer(request) {
    const { method, url, headers } = request;
    const auth = { authorization: "Bearer cal_live_1" };
    if (headers.get("authorization") !== auth.authorization) {
      return refuse(401, "UnauthorizedException", "ApiAuthStrategy - api key - Your api key is not valid", request);
    }
    const bad = () => refuse(400, "BadRequestException", "the request is not as published", request);
    const isAt = (version: string, type = {}) =>
      hasHeaders(request, Object.assign({ "cal-api-version": version }, auth, type));
    const [, uid, action] = /^\/v2\/bookings\/([^/]+)\/(reschedule|cancel)$/.exec(url.pathname) ?? [];
    if (method === "POST" && url.search !== "") return bad();
    switch (`${method} ${action === undefined ? url.pathname : action}`) {
      case "GET /v2/slots": {
        const parsed = pairsAs(slots, url.searchParams);
        if (!parsed || !isAt("2024-09-04")) return bad();
        return json(200, {
          status: "success",
          data: { [parsed.start]: [{ start: `${parsed.start}T09:00:00.000+01:00` }] },
        });
      }
      case "GET /v2/bookings": {
        if (!pairsAs(list, url.searchParams) || !isAt("2024-08-13")) return bad();
        return json(200, { status: "success", data: [booked({})], pagination: { totalItems: 1, hasNextPage: false } });
      }
      case "POST /v2/bookings": {
        const parsed = bodyAs(booking, request);
        if (!parsed || !isAt("2026-02-25", JSON_TYPE)) return bad();
        if (parsed.start.includes("T23")) {
          return refuse(
            400,
            "BadRequestException",
            "User either already has booking at this time or is not available",
            request,
          );
        }
        return json(201, { status: "success", data: booked({ start: parsed.start }) });
      }
      case "POST reschedule": {
        const parsed = bodyAs(move, request);
        if (!parsed || !isAt("2026-02-25", JSON_TYPE)) return bad();
        if (uid !== "bk_1") return refuse(404, "NotFoundException", `Booking with uid=${uid} was not found`, request);
        return json(201, {
          status: "success",
          data: booked({ uid: "bk_2", rescheduledFromUid: uid, start: parsed.start }),
        });
      }
      case "POST cancel": {
        const parsed = bodyAs(cancel, request);
        if (!parsed || !isAt("2026-02-25", JSON_TYPE)) return bad();
        if (parsed.cancellationReason.trim() === "") {
          return refuse(400, "BadRequestException", "Cancellation reason is required when you are the host", request);
        }
        return json(200, {
          status: "success",
          data: booked({ status: "cancelled", cancellationReason: parsed.cancellationReason }),
        });
      }
      default:
        return refuse(404, "NotFoundException", `Cannot ${method} ${url.pathname}`, request);
    }
  },
};
