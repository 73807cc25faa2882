import { eq } from "drizzle-orm";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { agents, agentTests } from "../../../kernel/db/schema/index.ts";
import type { Bindings, Principal } from "../../../kernel/http/context.ts";
import { conflict, notFound } from "../../../kernel/http/errors.ts";
import { assertOwnAgent, ownRow } from "../../../kernel/http/own-agents.ts";
import { findConversation, findRow } from "../../../records/conversations/find-conversation.ts";
import { createTest, type TestRow } from "../verbs.ts";
import { draftOf } from "./draft.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  principal: Principal;
  /** The current time, ms. */
  now: number;
}

interface Order {
  conversation_id: string;
  id: string;
  agent_id?: string | undefined;
  name?: string | undefined;
  created_by: string;
}

/** Creates a test from a conversation that has ended. @throws ApiError 404, 409 */
export async function testOfConversation(
  { env, store, principal, now }: Context,
  { conversation_id, id, agent_id, name, created_by }: Order,
): Promise<TestRow> {
  const detail = ownRow(principal, await findConversation({ env, store }, conversation_id), "conversation");
  const tested = agent_id ?? detail.agent_id;
  assertOwnAgent(principal, tested);
  if (detail.status === "live")
    throw conflict("conversation_live", "the conversation has not ended; wait until it has");
  const [held, agent] = await store.read(
    store.first(agents, { where: eq(agents.id, detail.agent_id), columns: ["storage", "redact"] }),
    store.first(agents, { where: eq(agents.id, tested), columns: ["id", "storage", "redact"] }),
  );
  if (!agent) throw notFound("agent");
  const policies = held ? [held, agent] : [agent];
  const isKept = policies.every(({ storage }) => storage !== "metadata");
  // Both policies apply: data that either of them hides is hidden.
  const redact = policies.flatMap((one) => (one.storage === "redacted" ? one.redact : []));
  const draft = draftOf(detail, { storage: "redacted", redact });
  if (!isKept || draft.steps.length === 0)
    throw conflict("nothing_kept", "the conversation stores nothing that the person said, so it cannot become a test");
  const own = { id, agent_id: tested, created_by, conversation_id: detail.id, required: false };
  const called = { name: name ?? `Conversation of ${detail.started_at.slice(0, 10)}` };
  const test = await createTest({ store, now }, Object.assign(own, called, draft));
  try {
    await findRow({ env, store }, detail.id);
  } catch (error) {
    // The conversation was deleted in the meantime, so the test is deleted too.
    await store.record(store.delete(agentTests, eq(agentTests.id, id)));
    throw error;
  }
  return test;
}
