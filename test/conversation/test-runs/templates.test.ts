import { expect, it } from "vitest";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import { tenant } from "../../support/client.ts";
import { ran } from "./support.ts";

it("every template comes with tests that pass", async () => {
  const who = await tenant();
  for (const { id, name, tests } of CATALOG.templates) {
    expect(tests.length, name).toBeGreaterThanOrEqual(3);
    const { body } = await who.server.post<{ agent_id: string }>(`/api/v1/marketplace/agents/${id}/install`);
    const path = `/api/v1/agents/${body.agent_id}`;
    const run = await ran({ ...who, agent_id: body.agent_id, path });
    expect(run, name).toMatchObject({ status: "completed", conversations: tests.length });
    const failed = run.results.filter(({ state }) => state !== "passed");
    expect(
      failed.map(({ name: test, failures, transcript }) => ({ test, failures, transcript })),
      name,
    ).toEqual([]);
  }
});
