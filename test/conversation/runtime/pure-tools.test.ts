import { afterEach, describe, expect, it, vi } from "vitest";
import { connected, greetedSession, isLast, prompt, recordOf, spoken } from "./conversing.ts";
import { modelAndVendor, thinksWithModel, toolMessages, toolsUsed, use } from "./tool-runs-support.ts";

afterEach(() => vi.unstubAllGlobals());

/** Creates a call with an agent in Vienna that knows where to park. */
async function knowingCall() {
  const call = await greetedSession({ timezone: "Europe/Vienna" });
  const faq = { name: "where_to_park", title: "Where to park", content: "Behind the house." };
  await call.server.post("/api/v1/faqs", faq);
  await call.server.post(`/api/v1/agents/${call.agent_id}/faqs`, { faq_id: faq.name });
  return call;
}

const FOUND = {
  results: [{ source: { kind: "faq", name: "where_to_park", title: "Where to park" }, text: "Behind the house." }],
};

describe("the built-in tools that only compute", () => {
  it("pure tools are offered with the model's date, time and zone and answer together", async () => {
    const call = await knowingCall();
    const calls = [
      { id: "a", name: "search_knowledge", arguments: { query: "Where can I park?" } },
      { id: "b", name: "spell_back", arguments: { text: "Li" } },
      { id: "c", name: "work_out_date", arguments: { when: "tomorrow" } },
    ];
    const { modelRequests } = modelAndVendor((_, n) =>
      n === 1 ? calls.map((one) => ({ call: one })) : [{ say: "So." }],
    );
    const socket = await connected(call);
    await thinksWithModel(call);
    socket.send(prompt("Where can I park tomorrow?"));
    expect(spoken(await socket.until(isLast))).toBe("So.");

    const [first, second] = modelRequests as unknown as [
      { messages: { role: string; content: string }[]; tools: { function: { name: string } }[] },
      (typeof modelRequests)[number],
    ];
    expect(first.tools.map(({ function: { name } }) => name)).toEqual(
      expect.arrayContaining(["search_knowledge", "spell_back", "work_out_date"]),
    );
    const [system, data] = first.messages;
    expect([system?.role, data?.role]).toEqual(["system", "user"]);
    expect(system?.content).not.toContain("Vienna");
    expect(data?.content).toContain('"timezone":"Europe/Vienna"');

    const [found = "", spelled = "", worked = ""] = toolMessages(second).map(String);
    expect(JSON.parse(found)).toEqual(FOUND);
    expect(JSON.parse(spelled)).toEqual({ say: "L as in Lima, I as in India" });
    expect(JSON.parse(worked)).toMatchObject({ days_from_today: 1, timezone: "Europe/Vienna" });
    const used = toolsUsed(await recordOf(call));
    expect(used.map(({ name, ok, run_id }) => [name, ok, run_id ?? null])).toEqual(
      calls.map(({ name }) => [name, true, null]),
    );
  });

  it("tell the model what is wrong with its arguments", async () => {
    const call = await knowingCall();
    const { modelRequests } = modelAndVendor((_, n) =>
      n === 1
        ? [
            { call: { id: "a", name: "search_knowledge", arguments: { question: "x" } } },
            { call: { id: "b", name: "spell_back", arguments: { text: "x".repeat(201) } } },
            { call: { id: "c", name: "work_out_date", arguments: { when: "soon" } } },
          ]
        : [{ say: "Sorry." }],
    );
    const socket = await connected(call);
    await thinksWithModel(call);
    socket.send(prompt("Hm."));
    await socket.until(isLast);
    const [, second] = modelRequests;
    expect(second && toolMessages(second)).toEqual([
      "Error: query is required: what to look for, in a few words",
      "Error: text is required: what to spell, of at most 200 characters",
      "Error: no day was understood: ask the caller for the date",
    ]);
  });

  it("spell_back spells in the language to which the conversation changed", async () => {
    const call = await greetedSession({ language: "de-AT", languages: ["fr-FR"] });
    const spelling = { name: "spell_back", arguments: { text: "Öl" } };
    const calls = [
      { id: "a", ...spelling },
      { id: "b", name: "set_language", arguments: { language: "fr-FR" } },
      { id: "c", ...spelling },
    ];
    modelAndVendor((_, n) =>
      n > calls.length ? [{ say: "So." }] : calls.slice(n - 1, n).map((one) => ({ call: one })),
    );
    const socket = await connected(call);
    await thinksWithModel(call);
    socket.send(prompt("Öl."));
    await socket.until(isLast);
    const results = toolsUsed(await recordOf(call)).map(({ result }) => result);
    expect(results).toMatchObject([
      { say: "Ö wie Öl, L wie Leipzig" },
      "the conversation continues in fr-FR",
      { say: "O comme Oscar avec tréma, L comme Louis" },
    ]);
    expect((await use(call, "spell_back", { text: "L" }, "d")).body).toMatchObject({
      result: { say: "L comme Louis" },
    });
  });

  it("answer a custom runtime once for each call", async () => {
    const call = await knowingCall();
    const session = await call.client.get<{ tools: { name: string; runs: string }[]; timezone: string }>(
      "/api/runtime/v1/session",
    );
    expect(session.body.timezone).toBe("Europe/Vienna");
    expect(session.body.tools).toMatchObject(
      ["search_knowledge", "spell_back", "work_out_date"].map((name) => ({ name, runs: "platform" })),
    );
    const first = await use(call, "search_knowledge", { query: "parking, please: where to park" }, "t1");
    expect([first.status, first.body]).toEqual([
      200,
      { run_id: null, state: "ok", ok: true, result: FOUND, duration_ms: expect.any(Number) },
    ]);
    expect((await use(call, "search_knowledge", { query: "other" }, "t1")).body).toEqual(first.body);
    expect((await use(call, "work_out_date", {}, "t2")).body).toMatchObject({ ok: false, state: "failed" });
    expect(toolsUsed(await recordOf(call)).map(({ tool_call_id, ok }) => [tool_call_id, ok])).toEqual([
      ["t1", true],
      ["t2", false],
    ]);
  });

  it("an agent without knowledge has no tool to search it", async () => {
    const call = await greetedSession();
    expect((await use(call, "search_knowledge", { query: "x" })).status).toBe(404);
    expect((await use(call, "spell_back", { text: "x" })).status).toBe(200);
  });
});
