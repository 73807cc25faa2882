import { args, choice, phone, text } from "../schema.ts";
import type { CatalogTool } from "../types.ts";

/** Tools that act on the call itself; the media runtime carries them out. */
export const callTools: CatalogTool[] = [
  {
    name: "transfer_call",
    display_name: "Transfer call",
    description: "Hand the caller over to a person or a queue, with a short summary for whoever picks up.",
    category: "call_control",
    implementation_type: "python",
    implementation_code:
      'def run(args, call):\n    call.say(args.get("announcement", "One moment, I am connecting you."))\n    return call.transfer(to=args["destination"], whisper=args["summary"], mode=args.get("mode", "warm"))\n',
    implementation_config: { ring_timeout_seconds: 25, on_no_answer: "return_to_agent" },
    schema: args(
      {
        destination: phone("Number or queue to transfer to, E.164"),
        summary: text("One or two sentences for the person who takes over: who calls and why", { maxLength: 400 }),
        mode: choice("warm waits until somebody answers, cold does not", ["warm", "cold"]),
        announcement: text("What to tell the caller before the transfer", { maxLength: 200 }),
      },
      ["mode", "announcement"],
    ),
    tags: ["handover", "escalation"],
  },
  {
    name: "end_call",
    display_name: "End call",
    description: "Say goodbye and hang up once the caller has what they came for, or asks to stop.",
    category: "call_control",
    implementation_type: "python",
    implementation_code:
      'def run(args, call):\n    call.note("disposition", args["disposition"])\n    call.say(args.get("farewell", "Thank you for calling. Goodbye."), wait=True)\n    return call.hangup()\n',
    implementation_config: {},
    schema: args(
      {
        disposition: choice("How the call went", [
          "resolved",
          "callback_booked",
          "not_interested",
          "wrong_number",
          "voicemail",
        ]),
        farewell: text("Last words before the line closes", { maxLength: 200 }),
      },
      ["farewell"],
    ),
    tags: ["closing"],
  },
  {
    name: "collect_digits",
    display_name: "Collect digits",
    description: "Let the caller type digits on the keypad, for what should not be said aloud.",
    category: "call_control",
    implementation_type: "python",
    implementation_code:
      'def run(args, call):\n    digits = call.gather(prompt=args["prompt"], length=args["length"], timeout=8)\n    return {"digits": digits, "complete": len(digits) == args["length"]}\n',
    implementation_config: { mask_in_transcript: true },
    schema: args({
      prompt: text("What to ask for", { maxLength: 200 }),
      length: { type: "integer", description: "How many digits", minimum: 1, maximum: 20 },
    }),
    tags: ["keypad", "verification"],
  },
];
