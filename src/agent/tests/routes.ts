import { OpenAPIHono } from "@hono/zod-openapi";
import { eq } from "drizzle-orm";
import { all } from "../../kernel/db/conditions.ts";
import { agentTests as testTable } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { serve } from "../../kernel/http/serve.ts";
import * as contract from "./contract.ts";
import { testOfConversation } from "./to-test/to-test.ts";
import { createTest, isTest, testOf, testsOf, updateTest } from "./verbs.ts";

export const agentTests = new OpenAPIHono<AppEnv>();

serve(agentTests, contract.listAgentTests, ({ store, params }) => testsOf(store, params.id));

serve(
  agentTests,
  contract.createAgentTest,
  ({ c, store, params, body, now, newId }) => {
    const created_by = c.get("author").actor;
    const creation = { agent_id: params.id, id: newId(), created_by, conversation_id: null };
    return createTest({ store, now }, Object.assign(creation, body));
  },
  ({ store, params }, id) => testOf(store, params.id, id),
);

serve(agentTests, contract.getAgentTest, async ({ store, params: { id, testId } }) => {
  const test = await testOf(store, id, testId);
  if (!test) throw notFound("test");
  return test;
});

serve(agentTests, contract.updateAgentTest, ({ store, params: { id, testId }, body, now, ifMatch }) =>
  updateTest({ store, now }, { agent_id: id, id: testId, changes: body, ifMatch }),
);

serve(agentTests, contract.deleteAgentTest, async ({ store, params: { id, testId } }) => {
  const entry = { action: "delete", resource: "agent_test", resource_id: testId } as const;
  const [gone] = await store.write(entry, store.delete(testTable, all(isTest(id, testId))));
  if (gone.length === 0) throw notFound("test");
});

serve(
  agentTests,
  contract.conversationToTest,
  ({ c, env, store, principal, params, body, now, newId }) =>
    testOfConversation(
      { env, store, principal, now },
      { conversation_id: params.id, id: newId(), created_by: c.get("author").actor, ...body },
    ),
  async ({ store }, id) => {
    const [row] = await store.read(store.first(testTable, { where: eq(testTable.id, id) }));
    return row ?? null;
  },
);
