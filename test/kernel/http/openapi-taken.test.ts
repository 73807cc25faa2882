import { beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_IDS } from "../../../src/kernel/http/example-ids.ts";
import { type Client, operator, type Tenant, tenant } from "../../support/client.ts";
import { isObject, type Json, type Operation, operationsOf, reference } from "./reference.ts";

/**
 * Operations whose examples can be sent unchanged, and who sends them. They are in an order in which each finds what it
 * needs.
 */
const SENT: [operationId: string, by: "server" | "user" | "operator"][] = [
  ["createAgent", "server"],
  ["updateAgent", "server"],
  ["setAgentTool", "server"],
  ["createAgentSession", "user"],
  ["createFaq", "server"],
  ["attachAgentFaq", "server"],
  ["updateFaq", "server"],
  ["createPlaybook", "server"],
  ["attachAgentPlaybook", "server"],
  ["orderAgentAttachments", "server"],
  ["updatePlaybook", "server"],
  ["createTool", "server"],
  ["updateTool", "server"],
  ["installIntegration", "server"],
  ["addDoNotCall", "server"],
  ["createWidgetKey", "server"],
  ["updateWidgetSettings", "server"],
  ["updateAgentWidgetSettings", "server"],
  ["createTelephonyProvider", "server"],
  ["createPhoneNumber", "server"],
  ["updatePhoneNumber", "server"],
  ["listPhoneNumbers", "server"],
  ["updateCallSettings", "server"],
  ["getCallLimits", "server"],
  ["originateCall", "server"],
  ["getCall", "server"],
  ["hangUpCall", "server"],
  ["callSandboxNumber", "server"],
  ["createCampaign", "server"],
  ["updateCampaign", "server"],
  ["addCampaignContacts", "server"],
  ["listCampaignContacts", "server"],
  ["getCampaignContact", "server"],
  ["correctCampaignContact", "server"],
  ["cancelCampaignContact", "server"],
  ["getCampaignPlan", "server"],
  ["startCampaign", "server"],
  ["createCampaignEventsTicket", "server"],
  ["pauseCampaign", "server"],
  ["redialCampaign", "server"],
  ["cloneCampaign", "server"],
  ["resumeCampaign", "server"],
  ["exportCampaignContacts", "server"],
  ["exportCampaignRejects", "server"],
  ["exportCampaignDuplicates", "server"],
  ["exportCampaignHistory", "server"],
  ["stopCampaign", "server"],
  ["deleteCampaign", "server"],
  ["deleteTelephonyProvider", "server"],
  ["createApiKey", "user"],
  ["createAccount", "operator"],
  ["updateAccount", "operator"],
  ["createAccountUser", "operator"],
  ["login", "server"],
];

interface Created {
  id?: string;
  call_id?: string;
  contacts?: { id: string }[];
}
/**
 * The resource that an operation creates or finds, and that later ones name: its kind, and where the response contains
 * its id.
 */
const CREATES: Record<string, [kind: keyof typeof EXAMPLE_IDS, id: (answer: Created) => string | undefined]> = {
  createAgent: ["agent", ({ id }) => id],
  createFaq: ["faq", ({ id }) => id],
  createPlaybook: ["playbook", ({ id }) => id],
  createTelephonyProvider: ["credentials", ({ id }) => id],
  createPhoneNumber: ["number", ({ id }) => id],
  originateCall: ["call", ({ call_id }) => call_id],
  createCampaign: ["campaign", ({ id }) => id],
  listCampaignContacts: ["contact", ({ contacts }) => contacts?.[0]?.id],
};

let taker: Tenant;
let clients: Record<(typeof SENT)[number][1], Client>;
beforeAll(async () => {
  taker = await tenant();
  clients = { server: taker.server, user: taker.user, operator: await operator() };
});

/**
 * Returns an operation's example request in the form that a client sends. `real` replaces the examples' ids with
 * existing ones.
 */
function requestOf({ requestBody }: Operation, real: (text: string) => string) {
  const { content = {} } = requestBody ?? {};
  const form = content["multipart/form-data"]?.example;
  if (isObject(form)) return { body: formOf(form, real), headers: {} };
  const example = content["application/json"]?.example;
  if (example === undefined) return { body: undefined, headers: {} };
  return { body: real(JSON.stringify(example)), headers: { "content-type": "application/json" } };
}

function formOf(example: Json, real: (text: string) => string): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(example)) {
    const text = real(typeof value === "string" ? value : JSON.stringify(value));
    form.set(name, name === "contacts" ? new File([text], "contacts.csv", { type: "text/csv" }) : text);
  }
  return form;
}

describe("the reference's examples of requests", () => {
  it("get the documented responses", async () => {
    const operations = new Map(operationsOf(await reference()).map((one) => [one.operation.operationId, one]));
    const ids = new Map<string, string>();
    const real = (text: string) => [...ids].reduce((before, [example, id]) => before.replaceAll(example, id), text);
    for (const [operationId, by] of SENT) {
      const found = operations.get(operationId);
      if (!found) throw new Error(`no operation ${operationId}`);
      const [method = "", path = ""] = found.name.split(" ");
      const { parameters = [], responses } = found.operation;
      const examples = new Map(parameters.map(({ name, example }) => [name, String(example)]));
      const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(examples.get(name) ?? ""));
      const { body, headers } = requestOf(found.operation, real);
      const answer = await clients[by].send<Created>(method.toUpperCase(), real(address), body, headers);
      const success = Object.keys(responses).filter((status) => status.startsWith("2"));
      expect(success, `${operationId}: ${JSON.stringify(answer.body)}`).toContain(String(answer.status));
      const [kind, idIn] = CREATES[operationId] ?? [];
      const id = idIn?.(answer.body);
      if (kind && id) ids.set(EXAMPLE_IDS[kind], id);
    }
    expect(ids.size).toBe(Object.keys(CREATES).length);
  });
});
