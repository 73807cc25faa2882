import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../../src/agent/catalog/index.ts";
import { arrivalNote } from "../../../../src/conversation/runtime/models/notes.ts";
import { OUTCOME_UNKNOWN } from "../../../../src/conversation/runtime/tools/run-state.ts";
import { personAt } from "../../../../src/phone/carriers/sandbox-people.ts";
import { builtIn, CALLER, Conversation, schema, session, shipped, TRANSFER_LABEL, withoutTransfer } from "./support.ts";

const inbound = {
  call: {
    id: "019aa3b7-0000-7000-8000-000000000009",
    direction: "inbound" as const,
    from_number: CALLER,
    to_number: "+13035550100",
    provider: "sandbox",
    campaign_id: null,
    contact_id: null,
  },
};
const orders = () => session("Order Concierge", inbound);
const answering = (results: Record<string, unknown>) => (call: { name: string }) =>
  JSON.stringify(results[call.name] ?? {});

describe("the agent's knowledge", () => {
  it.each([
    ["When are you open?", "When are you open?", "Monday to Friday from 9:00 to 17:00"],
    ["what are your opening hours", "When are you open?", "Monday to Friday from 9:00 to 17:00"],
    ["Is there any parking?", "Where are you, and can I park?", "Visitors park free of charge"],
    ["Can I move my appointment?", "Can I cancel or move my appointment?", "free of charge until 24 hours"],
  ])("the scripted agent answers %s and names its source", async (question, title, answer) => {
    const { text, used } = await new Conversation(session("Front Desk", inbound)).say(question);
    expect(text).toMatch(`From our FAQ “${title}”: `);
    expect(text).toContain(answer);
    expect(text.split(/[.!?](?:\s|$)/).length).toBeLessThanOrEqual(6);
    expect(used).toEqual([]);
  });

  it("answers from a playbook if no FAQ fits", async () => {
    const { text } = await new Conversation(orders()).say("I want to make a complaint");
    expect(text).toMatch(/^From our playbook “Calm a complaint”: The caller feels heard/);
  });

  it("says the summary of a long answer", async () => {
    const faq = {
      name: "returns",
      title: "How do returns work?",
      summary: "Unused items come back within 30 days free of charge.",
      content: `We send you a prepaid label by email. ${"Then there is more to say about it. ".repeat(20)}`,
    };
    const talk = new Conversation(session("Order Concierge", { ...inbound, faqs: [faq] }));
    expect((await talk.say("How do returns work?")).text).toBe(
      "From our FAQ “How do returns work?”: Unused items come back within 30 days free of charge.",
    );
  });

  it.each(["When can I come?", "When we are open", ""])(
    "the scripted agent answers with the content if the summary is %j",
    async (summary) => {
      const faq = { name: "hours", title: "Opening hours", summary, content: "Monday to Friday, nine to five." };
      const { text } = await new Conversation(session("Front Desk", { ...inbound, faqs: [faq] })).say(
        "When are you open?",
      );
      expect(text).toContain("Monday to Friday, nine to five.");
    },
  );

  it("answers with the content if it is short, even if there is a summary", async () => {
    const content = "Monday 7 to 18. Tuesday 7 to 18. Wednesday 7 to 18. Saturday 7 to 14. Sunday closed.";
    const faq = { name: "hours", title: "Opening hours", summary: "When the bakery is open", content };
    const talk = new Conversation(session("Front Desk", { ...inbound, faqs: [faq] }));
    expect((await talk.say("What are your opening hours?")).text).toBe(`From our FAQ “Opening hours”: ${content}`);
  });

  it("asks to rephrase, then lists possible questions and offers a person", async () => {
    const talk = new Conversation(session("Front Desk", inbound));
    expect((await talk.say("blub")).text).toMatch(/in other words\?$/);
    expect((await talk.say("flurb gnarf")).text).toMatch(
      /“When are you open\?”, “Where are you, and can I park\?” or .* a person\?$/,
    );
    expect((await talk.say("yes please")).used).toEqual(["transfer_call"]);
  });

  it("offers a callback if no transfer is possible", async () => {
    const talk = new Conversation(session("Front Desk", inbound), withoutTransfer);
    await talk.say("blub");
    expect((await talk.say("flurb gnarf")).text).toMatch(/Shall somebody call you back\?$/);
    expect((await talk.say("yes")).used).toEqual(["set_disposition"]);
    expect(talk.argsOf("set_disposition")).toEqual({ value: "callback_requested" });
  });
});

describe("the account's tools", () => {
  it("look up an order, and the agent reads out the result", async () => {
    const result = { order: { id: 99, name: "#1042", status: "in_transit", delivery_date: "2026-12-03" } };
    const talk = new Conversation(
      orders(),
      [...builtIn, shipped("look_up_order")],
      answering({ look_up_order: result }),
    );
    const { text, used } = await talk.say("Can you look up order 1042?");
    expect(used).toEqual(["look_up_order"]);
    expect(talk.argsOf("look_up_order")).toEqual({ order_number: "1042" });
    expect(text).toMatch(/Name: #1042, status: in transit and delivery date: 2026-12-03\./);
    expect(await talk.say("No, thanks")).toMatchObject({ used: ["set_disposition", "end_call"] });
    expect(talk.argsOf("set_disposition")).toEqual({ value: "resolved" });
  });

  it("ask for a missing argument and read the next words as its value", async () => {
    const talk = new Conversation(orders(), [...builtIn, shipped("look_up_order")]);
    expect(await talk.say("Where is my order?")).toEqual({
      text: "To look up order I need the order number. What is the order number?",
      used: [],
    });
    expect((await talk.say("It's A-77/b, please.")).used).toEqual(["look_up_order"]);
    expect(talk.argsOf("look_up_order")).toEqual({ order_number: "A-77/b" });
  });

  it("collect several arguments, and take the caller's number from the call", async () => {
    const talk = new Conversation(session("Demo Booker"), [...builtIn, shipped("book_appointment")]);
    expect((await talk.say("I want to book an appointment")).text).toMatch(
      /^To book appointment I need the event type id, the start, the name, the email and the timezone\./,
    );
    await talk.say("12");
    await talk.say("2026-12-01 at 15:00, please");
    await talk.say("Ava Jones");
    await talk.say("ava@example.com, thanks");
    expect((await talk.say("Europe/Berlin")).used).toEqual(["book_appointment"]);
    expect(talk.argsOf("book_appointment")).toEqual({
      event_type_id: 12,
      start: "2026-12-01T15:00:00Z",
      name: "Ava Jones",
      email: "ava@example.com",
      timezone: "Europe/Berlin",
      phone_number: CALLER,
    });
  });

  it("the scripted agent uses a tool that a playbook's step names", async () => {
    const content = "Ask for the number, then call `fetch_shipment`.";
    const playbook = { name: "late_parcel", display_name: "Late shipment", content };
    const fetchShipment = {
      name: "fetch_shipment",
      description: "",
      parameters: schema({ number: { type: "string" } }, ["number"]),
    };
    const talk = new Conversation(session("Order Concierge", { ...inbound, faqs: [], playbooks: [playbook] }), [
      fetchShipment,
    ]);
    expect((await talk.say("My shipment is late, and nobody tells me why")).text).toMatch(
      /^To fetch shipment I need the number/,
    );
    expect((await talk.say("A-77")).used).toEqual(["fetch_shipment"]);
  });

  it("find arguments of every kind in one sentence", async () => {
    const tool = {
      name: "reserve_room",
      description: "Reserve a hotel room.",
      parameters: schema(
        {
          guests: { type: "integer", minimum: 1, maximum: 8 },
          arrival: { type: "string", format: "date" },
          kind: { type: "string", enum: ["single", "double", "sea_view"] },
          email: { type: "string", format: "email" },
          phone: { type: "string", pattern: "^\\+[1-9]\\d{6,14}$" },
          occasion: { type: "string" },
          first_name: { type: "string" },
        },
        ["guests", "arrival", "kind", "email", "phone", "occasion", "first_name"],
      ),
    };
    const talk = new Conversation(orders(), [...builtIn, tool]);
    await talk.say(
      'Reserve a sea view room for 2 guests on 2026-12-24, ava@example.com, +49 170 1234567, "our wedding"',
    );
    expect(talk.argsOf("reserve_room")).toEqual({
      guests: 2,
      arrival: "2026-12-24",
      kind: "sea_view",
      email: "ava@example.com",
      phone: "+491701234567",
      occasion: "our wedding",
      first_name: "Ava",
    });
  });

  it("read two replies as two arguments, also if the request names one of them", async () => {
    const words = { type: "string" };
    const parameters = schema({ name: words, color: words }, ["name", "color"]);
    const talk = new Conversation(orders(), [{ name: "paint_house", description: "", parameters }]);
    await talk.say("Paint the house in my name");
    await talk.say("Ava");
    expect((await talk.say("blue")).used).toEqual(["paint_house"]);
    expect(talk.argsOf("paint_house")).toEqual({ name: "Ava", color: "blue" });
  });

  it("take the words after the tool's name as its only argument", async () => {
    const weather = {
      name: "get_weather",
      description: "Current weather of a city.",
      parameters: schema({ city: { type: "string" } }, ["city"]),
    };
    const talk = new Conversation(orders(), [weather], answering({ get_weather: { temperature: 21, sky: "clear" } }));
    expect((await talk.say("What's the weather in New York?")).text).toContain("Temperature: 21 and sky: clear.");
    expect(talk.argsOf("get_weather")).toEqual({ city: "New York" });
  });
});

describe("the scripted agent with any caller", () => {
  it.each([
    "Stop calling me!",
    "please take me off your list",
    "Do not call again.",
    "Remove my number",
    "don’t ever call me again",
    "UNSUBSCRIBE",
    "I'd like to opt out",
  ])("opts out a caller who says “%s”, and ends", async (words) => {
    const talk = new Conversation(session("Demo Booker"));
    const { text, used } = await talk.say(words);
    expect(used).toEqual(["opt_out", "set_disposition", "end_call"]);
    expect(talk.argsOf("set_disposition")).toEqual({ value: "opted_out" });
    expect(text).toMatch(/off our list.*Goodbye\.$/);
  });

  it.each(["Can I talk to a person?", "agent", "Put me through to your manager please", "operator!"])(
    "transfers a caller who says “%s”",
    async (words) => {
      const talk = new Conversation(orders());
      expect((await talk.say(words)).used).toEqual(["transfer_call"]);
      expect(talk.argsOf("transfer_call")).toEqual({ label: TRANSFER_LABEL });
    },
  );

  it("arranges a callback if no transfer is possible", async () => {
    const talk = new Conversation(orders(), withoutTransfer);
    const { text, used } = await talk.say("Let me speak to a human");
    expect(text).toContain("Somebody will call you back.");
    expect(used).toEqual(["set_disposition"]);
    expect(talk.argsOf("set_disposition")).toEqual({ value: "callback_requested" });
  });

  it("says goodbye once, and reports that a question was answered", async () => {
    const talk = new Conversation(orders());
    await talk.say("How can I pay?");
    expect((await talk.say("Thank you, that helps")).used).toEqual(["set_disposition"]);
    expect(talk.argsOf("set_disposition")).toEqual({ value: "resolved" });
    expect(await talk.say("No")).toEqual({ text: "Thank you. Goodbye, and have a good day.", used: ["end_call"] });
  });

  it("leads from the greeting to an interested caller", async () => {
    const talk = new Conversation(session("Demo Booker"));
    expect((await talk.say("Yes")).text).toMatch(/^You can ask me, for example: “.*\. What would you like\?$/);
    expect((await talk.say("sounds good")).used).toEqual(["set_disposition"]);
    expect(talk.argsOf("set_disposition")).toEqual({ value: "interested" });
    expect((await talk.say("bye")).used).toEqual(["end_call"]);
  });

  it.each([
    [["no"], "not_interested"],
    [["This is the voicemail of Ava. Please leave a message after the tone. Goodbye."], "voicemail"],
    [["No thanks"], "not_interested"],
    [["I'm not interested, sorry"], "not_interested"],
    [["not a good time"], "callback_requested"],
    [["I think you have the wrong number"], "wrong_number"],
  ])("the scripted agent ends the call after %j as %s", async (lines, disposition) => {
    const talk = new Conversation(session("Demo Booker"));
    let used: string[] = [];
    for (const line of lines) used = (await talk.say(line)).used;
    expect(used).toEqual(["set_disposition", "end_call"]);
    expect(talk.argsOf("set_disposition")).toEqual({ value: disposition });
  });

  it("says who it is, and that it is a digital assistant", async () => {
    const talk = new Conversation(session("Demo Booker"));
    expect((await talk.say("Who is this?")).text).toMatch(
      /^This is Demo Booker, the digital assistant of Acme Dental\. What can I do for you\?$/,
    );
    expect((await talk.say("Are you a real person?")).text).toMatch(/the digital assistant of/);
  });
});

describe("the sandbox's people, called as in the demo", () => {
  const names = ["opening_hours", "delivery_times", "returns_and_refunds", "payment_methods", "talk_to_a_person"];
  const faqs = CATALOG.faqs.filter(({ name }) => names.includes(name));
  const tools = [...withoutTransfer, shipped("look_up_order")];

  it.each([
    ["10", "interested"],
    ["11", "resolved"],
    ["12", "resolved"],
    ["13", "not_interested"],
    ["14", undefined],
    ["15", "callback_requested"],
    ["16", "resolved"],
    ["17", "callback_requested"],
    ["18", "opted_out"],
    ["19", "wrong_number"],
    ["28", undefined],
  ])("the sandbox's people at %s end with the disposition %s", async (digits, disposition) => {
    const talk = new Conversation(session("Demo Booker", { faqs, playbooks: [] }), tools);
    let used: string[] = [];
    for (const { says } of personAt(`+120255501${digits}`).lines) {
      if (!used.includes("end_call")) used = (await talk.say(says)).used;
    }
    expect(talk.argsOf("set_disposition")?.value).toBe(disposition);
    expect(used).toContain("end_call");
    expect(talk.argsOf("look_up_order")).toEqual(digits === "12" ? { order_number: "1042" } : undefined);
  });
});

it("the scripted agent yields a few words at a time, then tool calls, then usage", async () => {
  const talk = new Conversation(session("Demo Booker"));
  talk.messages.push({ role: "user", text: "bye" });
  const { parts, pieces, text } = await talk.answer();
  expect(parts.map(({ type }) => type)).toEqual(["text", "text", "text", "tool_call", "usage"]);
  expect(pieces.join("")).toBe(text);
  const usage = parts.at(-1);
  const input = "You are a secret.".length + talk.messages.reduce((sum, message) => sum + message.text.length, 0);
  expect(usage).toMatchObject({ input_tokens: Math.ceil(input / 4) });
});

describe("a tool whose result comes late or never", () => {
  const parcel = "track_parcel";
  const tool = { name: parcel, description: "Tracks a parcel.", parameters: schema({}) };
  const toolRequested = () => {
    const talk = new Conversation(orders(), [...builtIn, tool]);
    const call = { id: "c1", name: parcel, arguments: {} };
    talk.messages.push({ role: "user", text: "Track my parcel" }, { role: "agent", text: "", tool_calls: [call] });
    return talk;
  };
  const toolResult = (text: string) => ({ role: "tool" as const, tool_call_id: "c1", name: parcel, text });

  it("the scripted agent answers from a late tool result once it is there", async () => {
    const talk = toolRequested();
    talk.messages.push(toolResult("on its way"), { role: "user", text: "Hello?" });
    talk.messages.push({ role: "agent", text: "Hello.", tool_calls: [] });
    talk.messages.push({ role: "user", text: arrivalNote([parcel]) });
    expect((await talk.answer()).text).toMatch(/^On its way|^on its way/);
  });

  it("makes the agent ask the caller to wait while it runs", async () => {
    const talk = toolRequested();
    talk.messages.push(Object.assign(toolResult("Still running"), { isRunning: true as const }));
    expect((await talk.answer()).text).toBe("One moment, please.");
  });

  it("a tool run with an unknown outcome is reported neither as done nor as failed", async () => {
    const talk = toolRequested();
    talk.messages.push(toolResult(OUTCOME_UNKNOWN));
    const { text, calls } = await talk.answer();
    expect(text).toContain("I cannot tell whether that worked: I tried to track parcel");
    expect(calls).toEqual([]);
  });
});
