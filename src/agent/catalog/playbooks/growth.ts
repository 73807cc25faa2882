import type { CatalogPlaybook } from "../types.ts";
import { page } from "./markdown.ts";

const qualify = ["the caller asks about price, a demo or an offer", "an outbound call reaches an interested person"];
const book = ["I would like an appointment", "do you have time on Friday", "can I come in"];
const move = ["I cannot make it", "can we move it", "please cancel"];
const objections = ["it is too expensive", "we have somebody already", "not now"];
const remind = ["an outbound call the day before an appointment"];
const feedback = ["an outbound call after a purchase or a visit"];

export const growthPlaybooks: CatalogPlaybook[] = [
  {
    name: "qualify_lead",
    display_name: "Qualify a lead",
    description: "Find out need, timing, authority and budget in a conversation, not a questionnaire.",
    category: "sales",
    tags: ["leads", "discovery"],
    tool_names: ["find_customer", "save_lead", "check_availability", "book_appointment"],
    triggers: qualify,
    content: page({
      title: "Qualify a lead",
      objective: "Know within five minutes whether a meeting is worth both sides' time, and book it if it is.",
      when: qualify,
      steps: [
        "Ask for permission and name the time: “May I ask three short questions to see whether we can help?”",
        "Need: what made them look now, and what happens if nothing changes.",
        "Timing and authority: when it should be solved, and who else decides.",
        "Budget last and softly: a range is enough.",
        "Fit: offer two slots from `check_availability` and book one. No fit: say so honestly and name an alternative.",
        "Write everything down with `save_lead`.",
      ],
      edges: [
        "They only want a price: give the range and what it depends on, then ask one question.",
        "A student, competitor or job seeker: be kind, note it as unqualified, end briefly.",
        "Existing customer: hand over to support or their account manager.",
      ],
      escalate: "Transfer at once if they are ready to sign, or represent more than 500 employees.",
    }),
  },
  {
    name: "book_a_meeting",
    display_name: "Book a meeting",
    description: "From “do you have time” to a confirmed slot in four turns.",
    category: "sales",
    tags: ["appointments"],
    tool_names: ["check_availability", "book_appointment", "send_sms"],
    triggers: book,
    content: page({
      title: "Book a meeting",
      objective: "A confirmed slot, the right name and number, and a reminder on its way.",
      when: book,
      steps: [
        "Ask what it is about, to choose the kind of appointment and its length.",
        "Ask for a day and whether morning or afternoon suits; call `check_availability`.",
        "Offer two slots, never a list.",
        "Take name, number and email; spell back what is unusual.",
        "Book with `book_appointment`, read day, date and time back, and offer a confirmation by text message.",
      ],
      edges: [
        "Nothing free that day: offer the nearest before and after.",
        "The slot is taken meanwhile: apologize and offer the next one.",
        "Different time zone: say the time in theirs, and name the zone.",
      ],
      escalate: "Transfer if they need somebody specific, several people at once, or special access.",
    }),
  },
  {
    name: "change_an_appointment",
    display_name: "Change an appointment",
    description: "Move or cancel, and fill the gap if possible.",
    category: "operations",
    tags: ["appointments", "rescheduling"],
    tool_names: ["find_appointments", "check_availability", "reschedule_appointment", "cancel_appointment"],
    triggers: move,
    content: page({
      title: "Change an appointment",
      objective: "Keep the customer even when the slot is lost: moving comes before cancelling.",
      when: move,
      steps: [
        "Find the appointment with `find_appointments` by the email address it was booked under, and read it back.",
        "Offer to move it before you offer to cancel it.",
        "Find two slots with `check_availability` and move it with `reschedule_appointment`.",
        "To cancel, say the conditions first, ask for a clear yes, then call `cancel_appointment`.",
        "Confirm the result and offer a text message.",
      ],
      edges: [
        "Less than 24 hours ahead: name the fee before cancelling, not after.",
        "Illness or a death in the family: waive the fee and express sympathy.",
        "Somebody else's appointment: change it only after verification.",
      ],
      escalate: "Transfer if the fee is disputed or the same appointment was moved three times.",
    }),
  },
  {
    name: "handle_objections",
    display_name: "Handle objections",
    description: "Take an objection seriously, answer it once, and respect a no.",
    category: "sales",
    tags: ["objections"],
    tool_names: ["search_knowledge", "schedule_callback", "end_call"],
    triggers: objections,
    content: page({
      title: "Handle objections",
      objective: "Either a real next step or a friendly no; never a third attempt.",
      when: objections,
      steps: [
        "Thank them for saying so and repeat the objection in your own words.",
        "Ask one question to understand it: “Compared with what?”, “What would have to be different?”",
        "Answer with one fact and one example; use `search_knowledge` rather than guess.",
        "Ask whether that settles it.",
        "If not, offer a callback at a better time or end the call well.",
      ],
      edges: [
        "“Send me something”: ask what they want to find in it, and send exactly that.",
        "“Take me off your list”: confirm at once, do so, and end.",
        "Bad experience in the past: apologize, take it down, do not sell.",
      ],
      escalate: "Transfer questions of contract and discount to a person.",
    }),
  },
  {
    name: "remind_of_appointment",
    display_name: "Remind of an appointment",
    description: "A half-minute call that saves a no-show.",
    category: "operations",
    tags: ["reminders", "outbound"],
    tool_names: ["find_appointments", "check_availability", "reschedule_appointment", "end_call"],
    triggers: remind,
    content: page({
      title: "Remind of an appointment",
      objective: "A yes, a new time, or a freed slot, in half a minute.",
      when: remind,
      steps: [
        "Say who calls and for whom; ask whether it is a good moment.",
        "Say day and time of the appointment, and what to bring.",
        "Ask for a clear yes.",
        "If it does not suit, offer two other slots at once.",
        "Thank them and end.",
      ],
      edges: [
        "Voicemail: leave name, day, time and number; no medical or personal detail.",
        "Wrong person: ask for a good time to reach the right one, and say nothing about the appointment.",
        "They want to cancel: cancel, and ask whether to call again later.",
      ],
      escalate: "Transfer questions about treatment, price or preparation that the notes do not answer.",
    }),
  },
  {
    name: "collect_feedback",
    display_name: "Collect feedback",
    description: "Three questions, honest answers, and a rescue where something went wrong.",
    category: "operations",
    tags: ["feedback", "nps", "outbound"],
    tool_names: ["create_ticket", "end_call"],
    triggers: feedback,
    content: page({
      title: "Collect feedback",
      objective: "A score, the reason for it, and one wish, in two minutes.",
      when: feedback,
      steps: [
        "Say who calls and that it takes two minutes; accept a no.",
        "Ask how likely they are to recommend us, from zero to ten.",
        "Ask for the main reason, and stay silent until they have finished.",
        "Ask for the one thing to do better.",
        "Thank them, and say what happens with the answers.",
      ],
      edges: [
        "A score of six or less: apologize, ask whether somebody may call back, open a ticket.",
        "A ten: ask whether they would write a short review, and offer the link.",
        "They talk about something unresolved: change to solving it, the survey can wait.",
      ],
      escalate: "Transfer if they ask for a manager or report harm.",
    }),
  },
];
