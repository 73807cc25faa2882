import { describe, expect, it } from "vitest";
import type { Turn } from "../../../src/records/conversations/record.ts";
import { erased } from "../../account-data/erasures/support.ts";
import { begin, over, type Tested, tested } from "../../conversation/test-runs/support.ts";
import { endedRow, held, LIVE, later, PLAIN, putRows } from "../../records/conversations/support.ts";
import { apiKey, consoleUser } from "../../support/client.ts";

interface Test {
  id: string;
  name: string;
  steps: { says: string }[];
  tool_mocks: { tool: string; when: object | null; result: unknown }[];
  expect: object[];
  variables: Record<string, string>;
  conversation_id: string | null;
}

let seq = 0;
const said = (role: "user" | "agent", text: string): Turn => ({ seq: ++seq, at: later(seq), role, text, ...PLAIN });
const used = (name: string, given: Record<string, unknown>, result: unknown): Turn => ({
  seq: ++seq,
  at: later(seq),
  role: "tool",
  text: name,
  ...PLAIN,
  tool_call: {
    tool_call_id: `t${seq}`,
    run_id: null,
    name,
    arguments: given,
    state: "ok",
    ok: true,
    result,
    duration_ms: 5,
  },
});

const NUMBER = "+14155550123";
const CARD = "4111 1111 1111 1111";
const SAID = [
  said("agent", "Hello, this is Ada."),
  said("user", `Check slots on 2026-11-27 for 4 people. Call me at ${NUMBER} or ada@example.com, my card is ${CARD}`),
  used("check_slots", { day: "2026-11-27", phone: NUMBER }, { slot: "at ten", contact: "ada@example.com", seats: 4 }),
  said("agent", "At ten."),
  said("user", "Goodbye"),
  used("end_call", {}, "the conversation ends"),
];

const conversationOf = (who: Tested, set = {}) =>
  held(who, { agent_id: who.agent_id, variables: { name: "Ada" }, ...set }, SAID);

describe("a test of a conversation", () => {
  it("contains what the person said and what tools returned, but not who the person was", async () => {
    const who = await tested();
    const id = await conversationOf(who);
    const { status, body } = await who.server.post<Test>(`/api/v1/conversations/${id}/to-test`);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: "Conversation of 2026-03-04",
      conversation_id: id,
      agent_id: who.agent_id,
      variables: { name: "Ada" },
      steps: [
        { says: "Check slots on 2026-11-27 for 4 people. Call me at [PHONE] or [EMAIL], my card is [CARD]" },
        { says: "Goodbye" },
      ],
      tool_mocks: [
        {
          tool: "check_slots",
          when: { day: "2026-11-27" },
          result: { slot: "at ten", contact: "[EMAIL]", seats: 4 },
        },
      ],
      expect: [{ tool_called: { name: "check_slots" } }, { disposition: "booked" }, { ended: true }],
    });
    for (const secret of [NUMBER, "ada@example.com", CARD]) expect(JSON.stringify(body)).not.toContain(secret);
  });

  it("a test of a conversation is also redacted by its agent's own storage setting", async () => {
    const who = await tested({ storage: "redacted", redact: ["iban"] });
    const turns = [said("user", "My account is DE89 3704 0044 0532 0130 00, for 12 nights")];
    const id = await held(who, { agent_id: who.agent_id }, turns);
    const { body } = await who.server.post<Test>(`/api/v1/conversations/${id}/to-test`, { name: "Nights" });
    expect(body).toMatchObject({ name: "Nights", steps: [{ says: "My account is [IBAN], for 12 nights" }] });
  });
});

describe("a test of a conversation", () => {
  it("a test is not created from a conversation that is live, unknown or not stored", async () => {
    const who = await tested();
    const [live = ""] = await putRows(who, [endedRow({ ...LIVE, agent_id: who.agent_id })]);
    const made = (id: string, body: object = {}) => who.server.post(`/api/v1/conversations/${id}/to-test`, body);
    expect((await made(live)).code).toBe("conversation_live");
    expect((await made(crypto.randomUUID())).status).toBe(404);
    const silent = await held(who, { agent_id: who.agent_id }, [said("agent", "Hello?")]);
    expect((await made(silent)).code).toBe("nothing_kept");
    const id = await conversationOf(who);
    expect((await made(id, { agent_id: crypto.randomUUID() })).status).toBe(404);
    await who.server.patch(who.path, { storage: "metadata" });
    expect((await made(id)).code).toBe("nothing_kept");
  });
});

describe("a test of a long conversation", () => {
  it("a test of a long conversation is shortened so that it can be run and saved again", async () => {
    const who = await tested();
    const big = { slots: "x".repeat(20_000), mark: "a\0b" };
    const turns = [
      said("user", "\0 a\0b \ud800c"),
      ...Array.from({ length: 40 }, () => said("user", `${"x".repeat(3_999)}😀 and more`)),
      ...Array.from({ length: 8 }, (_, n) => used("check_slots", { day: n }, big)),
    ];
    const variables = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`column_${n}`, "v".repeat(300)]));
    const disposition = `${" a@b.co".repeat(14)}`;
    const id = await held(who, { agent_id: who.agent_id, variables, disposition }, turns);
    const { status, body } = await who.server.post<Test>(`/api/v1/conversations/${id}/to-test`);
    expect(status).toBe(201);
    expect(body.steps[0]).toEqual({ says: "ab �c" });
    expect(body.steps.length).toBeGreaterThan(10);
    expect(Object.keys(body.variables).length).toBeGreaterThan(40);
    const { steps, variables: kept, tool_mocks, expect: expectations } = body;
    const again = { steps, variables: kept, tool_mocks, expect: expectations };
    const path = `${who.path}/tests/${body.id}`;
    expect((await who.server.patch(path, again)).status).toBe(200);
    expect((await who.server.get(`${who.path}/tests`)).status).toBe(200);
  });

  it("does not expect a blank disposition", async () => {
    const who = await tested();
    const id = await held(who, { agent_id: who.agent_id, disposition: "  " }, [said("user", "Hello")]);
    const { status, body } = await who.server.post<Test>(`/api/v1/conversations/${id}/to-test`);
    expect([status, body.expect]).toEqual([201, []]);
  });
});

describe("a test of a conversation", () => {
  it("creating a test of a conversation requires build and listen for its agent", async () => {
    const who = await tested();
    const id = await conversationOf(who);
    for (const scopes of [["build"], ["listen"]] as const) {
      const { server } = await apiKey(who.user, { scopes: [...scopes] });
      expect((await server.post(`/api/v1/conversations/${id}/to-test`)).code).toBe("missing_scope");
    }
    expect((await (await consoleUser(who.account, "builder")).post(`/api/v1/conversations/${id}/to-test`)).status).toBe(
      201,
    );
    const other = await who.user.post<{ id: string }>("/api/v1/agents", { name: "Other" });
    const { server } = await apiKey(who.user, { scopes: ["build", "listen"], agent_ids: [who.agent_id] });
    const elsewhere = { agent_id: other.body.id };
    expect((await server.post(`/api/v1/conversations/${id}/to-test`, elsewhere)).code).toBe("agent_not_allowed");
  });

  const WAYS: [string, (who: Tested, id: string) => Promise<unknown>][] = [
    [
      "deleted",
      async ({ server }, id) => expect((await server.delete(`/api/v1/conversations/${id}`)).status).toBe(204),
    ],
    ["erased", (who, id) => erased(who, { conversation_id: id })],
  ];

  it.each(WAYS)("a test with all its results is deleted when its conversation is %s", async (_, erase) => {
    const who = await tested();
    const id = await conversationOf(who);
    await who.server.post<Test>(`/api/v1/conversations/${id}/to-test`);
    await who.server.post(`${who.path}/tests`, { name: "stays", steps: [{ says: "Goodbye" }] });
    const run = await over(who.server, (await begin(who)).body.id);
    expect(JSON.stringify(run)).toContain("for 4 people");
    await erase(who, id);
    const { body } = await who.server.get<{ tests: Test[] }>(`${who.path}/tests`);
    expect(body.tests.map(({ name }) => name)).toEqual(["stays"]);
    const after = await who.server.get(`/api/v1/test-runs/${run.id}`);
    expect(after.body).toMatchObject({ status: "completed", conversations: 1, results: [{ name: "stays" }] });
    expect(JSON.stringify(after.body)).not.toContain("for 4 people");
    const { body: list } = await who.server.get<{ test_runs: { tests: unknown[] }[] }>(`${who.path}/test-runs`);
    expect(list.test_runs[0]?.tests).toHaveLength(1);
  });
});
