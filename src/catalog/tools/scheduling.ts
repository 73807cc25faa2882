import { args, day, moment, phone, text, whole } from "../schema.ts";
import type { CatalogTool } from "../types.ts";

export const schedulingTools: CatalogTool[] = [
  {
    name: "check_availability",
    display_name: "Check availability",
    description: "Find free appointment slots on a day, before offering any to the caller.",
    category: "scheduling",
    implementation_type: "http",
    implementation_code: "",
    implementation_config: {
      method: "GET",
      url: "https://api.cal.com/v2/slots?eventTypeId={event_type_id}&start={date}&end={date}&timeZone={timezone}",
      headers: { Authorization: "Bearer {{cal_com.api_key}}", "cal-api-version": "2024-09-04" },
      timeout_ms: 4000,
    },
    schema: args(
      {
        event_type_id: text("Kind of appointment"),
        date: day("The day asked about"),
        timezone: text("The caller's time zone, IANA name"),
      },
      ["timezone"],
    ),
    tags: ["calendar", "appointments"],
  },
  {
    name: "book_appointment",
    display_name: "Book appointment",
    description: "Book a slot that was just confirmed with the caller, and give the confirmation reference.",
    category: "scheduling",
    implementation_type: "http",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: "https://api.cal.com/v2/bookings",
      headers: { Authorization: "Bearer {{cal_com.api_key}}", "cal-api-version": "2024-08-13" },
      body: {
        start: "{start}",
        eventTypeId: "{event_type_id}",
        attendee: { name: "{name}", email: "{email}", phoneNumber: "{phone_number}", timeZone: "{timezone}" },
      },
      timeout_ms: 8000,
    },
    schema: args(
      {
        event_type_id: text("Kind of appointment"),
        start: moment("Start of the slot, ISO 8601 with offset"),
        name: text("Full name of who comes"),
        email: text("Where the confirmation goes", { format: "email" }),
        phone_number: phone("The caller's number, E.164"),
        timezone: text("The caller's time zone, IANA name"),
      },
      ["email"],
    ),
    tags: ["calendar", "appointments"],
  },
  {
    name: "reschedule_appointment",
    display_name: "Reschedule appointment",
    description: "Move an existing appointment to another free slot.",
    category: "scheduling",
    implementation_type: "http",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: "https://api.cal.com/v2/bookings/{booking_id}/reschedule",
      headers: { Authorization: "Bearer {{cal_com.api_key}}", "cal-api-version": "2024-08-13" },
      body: { start: "{start}", reschedulingReason: "{reason}" },
      timeout_ms: 8000,
    },
    schema: args(
      {
        booking_id: text("Reference of the appointment"),
        start: moment("New start, ISO 8601 with offset"),
        reason: text("Why, in the caller's words", { maxLength: 300 }),
      },
      ["reason"],
    ),
    tags: ["calendar", "appointments"],
  },
  {
    name: "cancel_appointment",
    display_name: "Cancel appointment",
    description: "Cancel an appointment after reading it back and hearing a clear yes.",
    category: "scheduling",
    implementation_type: "http",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: "https://api.cal.com/v2/bookings/{booking_id}/cancel",
      headers: { Authorization: "Bearer {{cal_com.api_key}}", "cal-api-version": "2024-08-13" },
      body: { cancellationReason: "{reason}" },
      timeout_ms: 8000,
    },
    schema: args({ booking_id: text("Reference of the appointment"), reason: text("Why", { maxLength: 300 }) }, [
      "reason",
    ]),
    tags: ["calendar", "appointments"],
  },
  {
    name: "schedule_callback",
    display_name: "Schedule callback",
    description: "Promise a call back at a time that suits, when nobody can take the caller now.",
    category: "scheduling",
    implementation_type: "python",
    implementation_code:
      'def run(args, call):\n    task = call.tasks.create(kind="callback", due=args["at"], number=args["phone_number"], note=args["reason"], attempts=args.get("attempts", 2))\n    return {"reference": task.reference, "at": task.due}\n',
    implementation_config: {},
    schema: args(
      {
        phone_number: phone("Number to call, E.164"),
        at: moment("When to call, ISO 8601 with offset"),
        reason: text("What it is about", { maxLength: 400 }),
        attempts: whole("How often to try", 1, 5),
      },
      ["attempts"],
    ),
    tags: ["callback"],
  },
];
