import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { CONVERSATION_MIGRATIONS } from "../../../src/conversation/runtime/store/migrations.ts";
import { idBeside } from "../../../src/kernel/instant-ids.ts";
import { greetedSession, hasEnded, linesOf, recordOf, recordOnce } from "../../conversation/runtime/conversing.ts";
import { openRuntime } from "../../support/runtime.ts";
import conversation from "./fixtures/conversation.sql";

/**
 * A conversation as the first release with conversations left it, cut off in the middle: its agent was saying goodbye,
 * and its number waits to be put on the do-not-call list.
 */
const [, CALL = "", AGENT = "", AT = ""] = /call (\S+), agent (\S+), at (\d+)/.exec(conversation) ?? [];

/** The conversation that was left, as one of a call that goes on today. Whatever wakes the object arms its alarm. */
async function restored() {
  const call = await greetedSession();
  const id = idBeside(call.call_id);
  const [, left = ""] = /conversation VALUES \(1, '([^']+)'/.exec(conversation) ?? [];
  const object = env.CONVERSATION.getByName(`${call.account}/${call.call_id}`) as unknown as DurableObjectStub;
  const today = [
    [CALL, call.call_id],
    [AGENT, call.agent_id],
    [left, id],
    ["last-release", call.account],
  ].reduce((sql, [from = "", to = ""]) => sql.replaceAll(from, to), conversation);
  await runInDurableObject(object, async (_, { storage }) => {
    storage.sql.exec(today);
    storage.sql.exec("UPDATE conversation SET started_at = started_at + ?1, heard_at = heard_at + ?1", since());
  });
  await evictDurableObject(object);
  await env.CONVERSATION.getByName(`${call.account}/${call.call_id}`).whereCallerIs();
  await runDurableObjectAlarm(object);
  return { call, object };
}
const since = () => Date.now() - Number(AT);

describe("a conversation of the first release", () => {
  it("shows what was said, ends whole, and puts its number on the do-not-call list", async () => {
    const { call, object } = await restored();
    const live = await recordOf(call);
    expect(linesOf(live)).toEqual([
      "agent: Hello, this is Acme. How can I help?",
      "user: Can I talk about something?",
      "agent!: I did not",
      "user: Please stop calling me.",
      "agent: Of course.",
      "tool: opt_out",
      "tool: set_disposition",
      "agent!: Goodb",
    ]);
    expect(live).toMatchObject({ status: "live", disposition: "opted_out", usage: { input_tokens: 237 } });
    const socket = await openRuntime(call.session_token);
    await socket.until(({ last }) => last === true);
    socket.close();
    const over = await recordOnce(call, hasEnded);
    expect(over).toMatchObject({ end_reason: "caller_hung_up", complete: true, turn_count: 7 });
    type Blocked = { numbers: { phone_number: string }[] };
    await vi.waitFor(async () => {
      const { numbers } = (await call.server.get<Blocked>("/api/v1/do-not-call")).body;
      expect(numbers).toMatchObject([{ phone_number: "+13035550106" }]);
    });
    const steps = await runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec<{ id: string }>("SELECT id FROM migrations ORDER BY n").toArray(),
    );
    expect(steps.map(({ id }) => id)).toEqual(CONVERSATION_MIGRATIONS.map(({ id }) => id));
  });
});
