import { afterEach, describe, expect, it, vi } from "vitest";
import type { Scope } from "../../../src/kernel/scopes.ts";
import { erased } from "../../account-data/erasures/support.ts";
import { newAgent, readyText } from "../../agent/knowledge/support.ts";
import { apiKey, type Client, type Tenant, tenant } from "../../support/client.ts";
import { connected, greetedSession, hasEnded, isLast, prompt, recordOf, recordOnce } from "./conversing.ts";
import { ended, numbered, report, words } from "./reporting.ts";
import { modelAndVendor, thinksWithModel } from "./tool-runs-support.ts";

afterEach(() => vi.unstubAllGlobals());

interface Question {
  agent_id: string;
  question: string;
  query: string;
  times: number;
  asked_at: string;
  conversation_id: string;
}
interface Page {
  questions: Question[];
  total: number;
}

const PATH = "/api/v1/knowledge/unanswered";
const unanswered = async (client: Client, query = "") => (await client.get<Page>(`${PATH}${query}`)).body;

/** Waits until this many questions are listed. */
const listed = ({ server }: Pick<Tenant, "server">, total: number) =>
  vi.waitFor(
    async () => {
      const page = await unanswered(server);
      expect(page.total).toBe(total);
      return page.questions;
    },
    { interval: 20 },
  );

/** Returns a search as a custom runtime reports it: its call, then its result. */
function search(seq: number, query: string, results: unknown[] = [], ok = true) {
  const tool_call_id = `search ${seq}`;
  return [
    numbered(seq, { type: "tool_call", tool_call_id, name: "search_knowledge", arguments: { query } }),
    numbered(seq + 1, { type: "tool_result", tool_call_id, ok, result: { results }, duration_ms: 4 }),
  ];
}

describe("unanswered questions", () => {
  it("a question for which a search found nothing is listed with the caller's words after the call", async () => {
    const call = await greetedSession();
    const { id } = await readyText(call.server, "Opening hours", "On Saturdays we close at noon.");
    await call.server.post(`/api/v1/agents/${call.agent_id}/knowledge`, { document_id: id });
    const asks = (query: string) => [{ call: { id: query, name: "search_knowledge", arguments: { query } } }];
    modelAndVendor((_, n) => (n === 1 ? asks("parking") : n === 3 ? asks("saturdays") : [{ say: "Let me see." }]));
    const socket = await connected(call);
    await thinksWithModel(call);
    for (const said of ["Where can I park my car?", "When do you close on Saturdays?"]) {
      socket.send(prompt(said));
      await socket.until(isLast);
    }
    expect((await unanswered(call.server)).total).toBe(0);
    socket.close();
    const { id: conversation_id } = await recordOnce(call, hasEnded);
    const [question, ...others] = await listed(call, 1);
    expect(others).toEqual([]);
    expect(question).toMatchObject({ question: "Where can I park my car?", query: "parking", times: 1 });
    expect(question).toMatchObject({ agent_id: call.agent_id, conversation_id });
  });

  it("questions for the same words are one entry, whatever their order and numbers", async () => {
    const call = await greetedSession();
    await report(
      call,
      words(1, "Is there parking for 2 cars?"),
      ...search(2, "Parking, 2 cars"),
      words(4, "Parking for three?"),
      ...search(5, "cars parking 3"),
      ...search(7, "a swimming pool"),
      ended(9),
    );
    const questions = await listed(call, 2);
    const counted = questions.map(({ query, times }) => [query, times]);
    expect(new Map(counted as [string, number][])).toEqual(
      new Map([
        ["cars parking 3", 2],
        ["a swimming pool", 1],
      ]),
    );
  });

  it("a question is not listed if the search failed, found something or belongs to another tool", async () => {
    const call = await greetedSession();
    const other = { tool_call_id: "t", name: "find_orders", arguments: { query: "orders" } };
    await report(
      call,
      words(1),
      ...search(2, "failed", [], false),
      ...search(4, "found", [{ text: "here" }]),
      numbered(6, Object.assign({ type: "tool_call" as const }, other)),
      numbered(7, { type: "tool_result", tool_call_id: "t", ok: true, result: { results: [] }, duration_ms: 4 }),
      ...search(8, "pool"),
      ended(10),
    );
    expect((await listed(call, 1)).map(({ query }) => query)).toEqual(["pool"]);
  });

  it("an unanswered question is redacted like its conversation", async () => {
    const call = await greetedSession({ storage: "redacted", redact: ["email", "phone"] });
    const mail = "ada@acme.example";
    await report(call, words(1, `Does ${mail} or +13035550142 owe you?`), ...search(2, `bill of ${mail}`), ended(4));
    const [question] = await listed(call, 1);
    expect(question).toMatchObject({ question: "Does [EMAIL] or [PHONE] owe you?", query: "bill of [EMAIL]" });
  });

  it("an unanswered question of a conversation that stores no content is not stored", async () => {
    const call = await greetedSession({ storage: "metadata" });
    await report(call, words(1), ...search(2, "pool"), ended(4));
    await recordOnce(call, hasEnded);
    expect((await unanswered(call.server)).total).toBe(0);
  });

  it("deleting a conversation deletes its unanswered questions", async () => {
    const call = await greetedSession();
    await report(call, words(1), ...search(2, "pool"), ended(4));
    const [question] = await listed(call, 1);
    await vi.waitFor(async () => {
      const { status } = await call.user.delete(`/api/v1/conversations/${question?.conversation_id}`);
      expect(status).toBe(204);
    });
    expect((await unanswered(call.server)).total).toBe(0);
  });

  it("erasing a person deletes their unanswered questions and masks the number in others'", async () => {
    const [call, other] = await Promise.all([greetedSession(), greetedSession()]);
    await report(call, words(1), ...search(2, "pool"), ended(4));
    await listed(call, 1);
    const record = await recordOf(call);
    await erased(call, { conversation_id: record.id });
    expect((await unanswered(call.server)).total).toBe(0);
    const number = "+13035550171";
    await report(other, words(1, `Who is ${number}?`), ...search(2, `owner of ${number}`), ended(4));
    await listed(other, 1);
    await erased(other, { phone_number: number });
    expect(JSON.stringify(await unanswered(other.server))).not.toMatch(/3035550171/);
    expect((await unanswered(other.server)).total).toBe(1);
  });
});

describe("listing unanswered questions", () => {
  it("requires the scope `listen`, and shows a key limited to agents only their questions", async () => {
    const call = await greetedSession();
    await report(call, words(1), ...search(2, "pool"), ended(4));
    await listed(call, 1);
    const elsewhere = await newAgent(call.server);
    const keyOf = async (agent: string, scopes: Scope[] = ["listen"]) =>
      (await apiKey(call.user, { agent_ids: [agent], scopes })).server;
    expect((await (await keyOf(call.agent_id, ["read", "build"])).get(PATH)).status).toBe(403);
    expect((await unanswered(await keyOf(call.agent_id))).total).toBe(1);
    const stranger = await keyOf(elsewhere);
    expect((await unanswered(stranger)).total).toBe(0);
    expect((await stranger.get(`${PATH}?agent_id=${call.agent_id}`)).status).toBe(403);
    expect((await unanswered((await tenant()).server)).total).toBe(0);
  });

  it("can be limited to an agent and to a page", async () => {
    const call = await greetedSession();
    await report(call, words(1), ...search(2, "pool"), ...search(4, "sauna"), ended(6));
    await listed(call, 2);
    expect((await unanswered(call.server, `?agent_id=${await newAgent(call.server)}`)).total).toBe(0);
    const page = await unanswered(call.server, `?agent_id=${call.agent_id}&limit=1&offset=1`);
    expect([page.total, page.questions.length]).toEqual([2, 1]);
  });
});
