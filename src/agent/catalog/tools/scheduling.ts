import { args, day, moment, phone, text, whole, zone } from "../schema.ts";
import type { CatalogTool } from "../types.ts";

/** Cal.com versions each endpoint by its own header. */
const SLOTS = { "cal-api-version": "2024-09-04" };
const BOOKINGS = { "cal-api-version": "2026-02-25" };
const BOOKING_LIST = { "cal-api-version": "2024-08-13" };
const auth = { type: "bearer", token: "{{cal_com.api_key}}" };

const kind = whole("The number of the appointment type in Cal.com, as given in your instructions", 1, 2_147_483_647);
const booking = text("The appointment's uid, as returned by find_appointments or book_appointment", {
  pattern: "^[A-Za-z0-9_-]{1,100}$",
});

export const schedulingTools: CatalogTool[] = [
  {
    name: "check_availability",
    display_name: "Check availability",
    description:
      "Finds free appointment slots, by day, in the caller's time zone. Use it before you offer any time; offer at most two.",
    category: "scheduling",
    implementation_type: "http",
    effect: "read",
    implementation_code: "",
    implementation_config: {
      method: "GET",
      url: "https://api.cal.com/v2/slots",
      headers: SLOTS,
      auth,
      query: { eventTypeId: "{event_type_id}", start: "{first_day}", end: "{last_day}", timeZone: "{timezone}" },
      timeout_ms: 5000,
      response: { path: "data", max_chars: 4000 },
    },
    schema: args({
      event_type_id: kind,
      first_day: day("First day to check, such as 2026-03-09"),
      last_day: day("Last day to check, within a week of the first; the same day to check only one"),
      timezone: zone("The caller's time zone by its IANA name, such as Europe/Vienna"),
    }),
    tags: ["calendar", "appointments"],
  },
  {
    name: "book_appointment",
    display_name: "Book appointment",
    description:
      "Books one slot that check_availability returned and the caller has just confirmed, and returns the appointment with its uid. Spell the email address back first: the confirmation goes there.",
    category: "scheduling",
    implementation_type: "http",
    effect: "write",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: "https://api.cal.com/v2/bookings",
      headers: BOOKINGS,
      auth,
      body: {
        start: "{start}",
        eventTypeId: "{event_type_id}",
        attendee: { name: "{name}", email: "{email}", phoneNumber: "{phone_number}", timeZone: "{timezone}" },
      },
      timeout_ms: 8000,
      response: { path: "data", max_chars: 1500 },
    },
    schema: args(
      {
        event_type_id: kind,
        start: moment("Start of the slot in UTC, such as 2026-03-09T13:30:00Z"),
        name: text("Full name of the attendee", { minLength: 1, maxLength: 100 }),
        email: text("Where the confirmation goes, as the caller spelled it", { format: "email" }),
        phone_number: phone("The caller's number in E.164, such as +436601234567"),
        timezone: zone("The caller's time zone by its IANA name, such as Europe/Vienna"),
      },
      ["phone_number"],
    ),
    tags: ["calendar", "appointments"],
  },
  {
    name: "find_appointments",
    display_name: "Find appointments",
    description:
      "Finds the upcoming appointments booked under an email address, with their uids, so you can move or cancel one. Only use it for the caller's own address, once you know who is calling.",
    category: "scheduling",
    implementation_type: "http",
    effect: "read",
    implementation_code: "",
    implementation_config: {
      method: "GET",
      url: "https://api.cal.com/v2/bookings",
      headers: BOOKING_LIST,
      auth,
      query: { attendeeEmail: "{email}", status: "upcoming", sortStart: "asc", take: "3" },
      timeout_ms: 5000,
      response: { path: "data", max_chars: 4000 },
    },
    schema: args({ email: text("The address the appointment was booked under", { format: "email" }) }),
    tags: ["calendar", "appointments"],
  },
  {
    name: "reschedule_appointment",
    display_name: "Reschedule appointment",
    description:
      "Moves an appointment to another slot that check_availability returned and the caller has confirmed. The moved appointment has a new uid.",
    category: "scheduling",
    implementation_type: "http",
    effect: "write",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: "https://api.cal.com/v2/bookings/{booking_uid}/reschedule",
      headers: BOOKINGS,
      auth,
      body: { start: "{start}", reschedulingReason: "{reason}" },
      timeout_ms: 8000,
      response: { path: "data", max_chars: 1500 },
    },
    schema: args(
      {
        booking_uid: booking,
        start: moment("New start in UTC, such as 2026-03-09T13:30:00Z"),
        reason: text("Why, in the caller's words", { maxLength: 300 }),
      },
      ["reason"],
    ),
    tags: ["calendar", "appointments"],
  },
  {
    name: "cancel_appointment",
    display_name: "Cancel appointment",
    description:
      "Cancels an appointment permanently. First read it back, offer to move it instead, and get a clear yes.",
    category: "scheduling",
    implementation_type: "http",
    effect: "write",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: "https://api.cal.com/v2/bookings/{booking_uid}/cancel",
      headers: BOOKINGS,
      auth,
      body: { cancellationReason: "{reason}" },
      timeout_ms: 8000,
      response: { path: "data.status", max_chars: 100 },
    },
    // Cal.com requires a reason for a cancellation by the host.
    schema: args({
      booking_uid: booking,
      reason: text("Why, in the caller's words; “the caller asked to” if they gave none", {
        minLength: 1,
        maxLength: 300,
      }),
    }),
    tags: ["calendar", "appointments"],
  },
  {
    name: "schedule_callback",
    display_name: "Schedule callback",
    description:
      "Puts a callback on the team's task list in HubSpot, due at the time the caller chose, and returns the task's number. Don't promise a time before it has succeeded.",
    category: "scheduling",
    implementation_type: "http",
    effect: "write",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: "https://api.hubapi.com/crm/objects/2026-03/tasks",
      auth: { type: "bearer", token: "{{hubspot.access_token}}" },
      body: {
        properties: {
          hs_timestamp: "{at}",
          hs_task_subject: "Call back {name} at {phone_number}",
          hs_task_body: "{reason}",
          hs_task_type: "CALL",
          hs_task_status: "NOT_STARTED",
          hs_task_priority: "HIGH",
        },
      },
      timeout_ms: 6000,
      response: { path: "id", max_chars: 100 },
    },
    schema: args({
      name: text("The person to ask for", { minLength: 1, maxLength: 100 }),
      phone_number: phone("Number to call in E.164, such as +436601234567"),
      at: moment("When to call, in UTC, such as 2026-03-09T13:30:00Z"),
      reason: text("What it is about and what has already been said", { minLength: 1, maxLength: 1000 }),
    }),
    tags: ["callback"],
  },
];
