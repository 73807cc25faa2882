import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { issueRuntimeToken } from "../../../src/phone/calls/call-token.ts";
import { report } from "../../campaign/held-calls.ts";
import { type Campaign, contactOf, started, until } from "../../campaign/support.ts";
import { ANALYSIS, analyzedOnce, answering, OPENAI, tell } from "../../conversation/analysis/support.ts";
import { livesWith } from "../../conversation/runtime/conversing.ts";
import { ran, type Tested } from "../../conversation/test-runs/support.ts";
import { caller, slowly } from "../../phone/calls/support.ts";
import { Client } from "../../support/client.ts";
import { erased, newNumber, standsIn } from "./support.ts";

afterEach(() => vi.restoreAllMocks());

/** Two people whose names occur nowhere else. */
const [GONE, STAYS] = ["Zebulon Quillfeather", "Ottoline Marchbanks"] as const;
type Row = { successful: string | null; summary: string | null; data: object | null };

it("an erasure deletes the analyses of the person's conversations, and tests made from them", async () => {
  const who = await caller();
  const { server, account, agent_id } = who;
  await slowly(who);
  await server.patch(`/api/v1/agents/${agent_id}`, { analysis: ANALYSIS, llm_model: "gpt-4o" });
  const people = [GONE, STAYS].map((name) => ({ name, number: newNumber() }));
  const csv = `phone_number\n${people.map(({ number }) => number).join("\n")}\n`;
  const path = await started(who, csv);
  const campaign_id = path.split("/").at(-1) ?? "";
  await until(
    async () => (await server.get<Campaign>(path)).body,
    ({ counts }) => counts.originated === people.length,
  );
  const tested: Tested = Object.assign({}, who, { path: `/api/v1/agents/${agent_id}` });
  const conversations: string[] = [];
  for (const [place, { name }] of people.entries()) {
    const call_id = String((await contactOf(server, path, place)).attempts[0]?.call_id);
    expect((await report(who, path, call_id, { status: "in-progress" })).status).toBeLessThan(300);
    const token = await issueRuntimeToken(
      env.SIGNING_KEYS,
      { call_id, account, agent_id, campaign_id },
      7200,
      Date.now(),
    );
    const client = new Client({ authorization: `Bearer ${token}` });
    expect((await client.get("/api/runtime/v1/session")).status).toBe(200);
    await livesWith(who, call_id, OPENAI);
    const data = { caller_name: { value: name, turns: [1] } };
    answering({ summary: `${name} booked a table.`, criteria: {}, data });
    const call = Object.assign({}, who, { call_id, client }) as unknown as Parameters<typeof tell>[0];
    await tell(call, [
      { type: "user_turn", text: `I'm ${name}.` },
      { type: "disposition", value: "booked" },
    ]);
    const { id, analysis } = await analyzedOnce(call);
    expect(analysis).toMatchObject({ status: "done", data: { caller_name: { value: name, state: "found" } } });
    vi.restoreAllMocks();
    conversations.push(id);
    expect((await server.post(`/api/v1/conversations/${id}/to-test`, { name: `Test ${place}` })).status).toBe(201);
  }
  const found = async (name: string) =>
    (await server.get<{ conversations: { id: string }[] }>(`/api/v1/conversations?data.caller_name=${name}`)).body
      .conversations;
  const contacts = async () => (await server.get<{ contacts: Row[] }>(`${path}/contacts`)).body.contacts;
  await until(contacts, (all) => all.every(({ data }) => data !== null && "caller_name" in data));
  const run = await ran(tested);
  expect(run.results).toHaveLength(2);
  expect(await found(GONE)).toHaveLength(1);
  expect((await standsIn(GONE)).map((where) => where.split(":")[0])).toEqual(
    expect.arrayContaining(["CONVERSATIONS", "TEST_RUN items", "CAMPAIGN attempts", "D1 agent_tests"]),
  );

  const { counts } = await erased(who, { phone_number: people[0]?.number ?? "" });
  expect(counts).toMatchObject({ conversations: 1, contacts: 1 });
  expect(await standsIn(GONE)).toEqual([]);
  expect(await found(GONE)).toEqual([]);
  expect((await server.get(`/api/v1/conversations/${conversations[0]}`)).status).toBe(404);
  const [gone, stays] = await contacts();
  expect(gone).toMatchObject({ successful: null, summary: null });
  expect(gone?.data).toEqual({});
  expect((await server.get(`/api/v1/test-runs/${run.id}`)).body).toMatchObject({
    status: "completed",
    conversations: 1,
    results: [{ name: "Test 1" }],
  });

  // The data of the other person is unchanged.
  expect(stays).toMatchObject({ summary: `${STAYS} booked a table.`, data: { caller_name: STAYS } });
  expect(await found(STAYS)).toHaveLength(1);
  expect((await server.get<{ tests: { name: string }[] }>(`${tested.path}/tests`)).body.tests).toMatchObject([
    { name: "Test 1" },
  ]);
});
