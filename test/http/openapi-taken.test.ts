import { beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_IDS } from "../../src/http/example-ids.ts";
import { type Client, operator, type Tenant, tenant } from "../support/client.ts";
import { operationsOf, reference } from "./reference.ts";

/** Operations whose examples can be sent as they are, in an order in which each finds what it needs, and who sends them. */
const SENT: [operationId: string, by: "server" | "user" | "operator"][] = [
  ["createAgent", "server"],
  ["updateAgent", "server"],
  ["setAgentTool", "server"],
  ["createFaq", "server"],
  ["attachAgentFaq", "server"],
  ["updateFaq", "server"],
  ["createPlaybook", "server"],
  ["attachAgentPlaybook", "server"],
  ["updatePlaybook", "server"],
  ["createTool", "server"],
  ["updateTool", "server"],
  ["installIntegration", "server"],
  ["addDoNotCall", "server"],
  ["createWidgetKey", "server"],
  ["updateWidgetSettings", "server"],
  ["updateAgentWidgetSettings", "server"],
  ["createApiKey", "user"],
  ["createAccount", "operator"],
  ["updateAccount", "operator"],
  ["createAccountUser", "operator"],
  ["login", "server"],
];

let taker: Tenant;
let clients: Record<(typeof SENT)[number][1], Client>;
beforeAll(async () => {
  taker = await tenant();
  clients = { server: taker.server, user: taker.user, operator: await operator() };
});

describe("the reference's examples of requests", () => {
  it("are answered as the reference says", async () => {
    const operations = new Map(operationsOf(await reference()).map((one) => [one.operation.operationId, one]));
    let agent: string = EXAMPLE_IDS.agent;
    for (const [operationId, by] of SENT) {
      const found = operations.get(operationId);
      if (!found) throw new Error(`no operation ${operationId}`);
      const [method = "", path = ""] = found.name.split(" ");
      const { parameters = [], requestBody, responses } = found.operation;
      const examples = new Map(parameters.map(({ name, example }) => [name, String(example)]));
      const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(examples.get(name) ?? ""));
      const body = JSON.stringify(requestBody?.content["application/json"]?.example);
      const real = (text: string) => text.replaceAll(EXAMPLE_IDS.agent, agent);
      const answer = await clients[by].send<{ id?: string }>(method.toUpperCase(), real(address), real(body), {
        "content-type": "application/json",
      });
      const success = Object.keys(responses).filter((status) => status.startsWith("2"));
      expect(success, `${operationId}: ${JSON.stringify(answer.body)}`).toContain(String(answer.status));
      if (operationId === "createAgent") agent = answer.body.id ?? "";
    }
  });
});
