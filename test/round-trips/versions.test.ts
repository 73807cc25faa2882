import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { readSession } from "../../src/conversation/runtime/session/snapshot.ts";
import { accountStore } from "../../src/kernel/durable/account-stores.ts";
import { agentPath } from "../agent/versions/support.ts";
import { countingBindings } from "../bench/yardstick/count-round-trips.ts";
import { callToken, identityOf } from "../conversation/runtime/support.ts";
import { answering, ring } from "../phone/inbound/support.ts";

it("a conversation begins with one D1 batch, and one more if the agent's content was never used before", async () => {
  const who = await answering({ greeting_message: "one" });
  const { body } = await ring(who);
  const token = await callToken({ sub: body.call_id, account: who.account, agent_id: who.agent_id });
  const identity = await identityOf(token);
  const trips = async () => {
    const counted = { d1: 0, replica: 0, objects: 0 };
    const store = accountStore(countingBindings(env, counted), who.account, { actor: "test", request_id: "" });
    const { version } = await readSession({ env, store, now: Date.now() }, identity, crypto.randomUUID());
    return [counted.d1, version?.number];
  };
  await trips();
  expect(await trips()).toEqual([1, 1]);
  await who.server.patch(agentPath(who.agent_id), { greeting_message: "two" });
  expect(await trips()).toEqual([2, 2]);
  expect(await trips()).toEqual([1, 2]);
  await who.server.patch(agentPath(who.agent_id), { versioning: "manual" });
  await who.server.post(`${agentPath(who.agent_id)}/publish`);
  expect(await trips()).toEqual([1, 2]);
  await who.server.patch(agentPath(who.agent_id), { greeting_message: "three" });
  expect(await trips()).toEqual([1, 2]);
});
