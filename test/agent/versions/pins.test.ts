import { expect, it } from "vitest";
import { type Contact, contactOf, contactsCsv, ready, started, until, upload } from "../../campaign/support.ts";
import { tenant } from "../../support/client.ts";
import { agentPath, newAgent, tries } from "./support.ts";

interface Plan {
  samples: { greeting: string }[];
  warnings: { code: string }[];
}

it("a pinned campaign calls with that version, regardless of later changes", async () => {
  const who = await tenant();
  const { server } = who;
  const settings = await ready(who);
  const path = agentPath(settings.agent_id);
  await server.patch(path, { greeting_message: "Hello {{name}}, one" });
  await tries(who, settings.agent_id);
  await server.patch(path, { greeting_message: "Hello {{name}}, two" });
  const [pinned, live] = await Promise.all(
    ["1", "live"].map((agent_version) => upload(server, contactsCsv(1), { ...settings, agent_version })),
  );
  const greetingOf = async (id?: string) =>
    (await server.get<Plan>(`/api/v1/campaigns/${id}/plan`)).body.samples[0]?.greeting;
  expect(await greetingOf(pinned?.body.id)).toBe("Hello Person 0, one");
  expect(await greetingOf(live?.body.id)).toBe("Hello Person 0, two");
});

it("a campaign's contacts, attempts and calls show the version that was used", async () => {
  const who = await tenant();
  const { server } = who;
  const { agent_id, from_number } = await ready(who);
  await tries(who, agent_id);
  await server.patch(agentPath(agent_id), { greeting_message: "two" });
  const path = await started({ server, agent_id, from_number }, contactsCsv(1), { agent_version: "1" });
  const done = await until(
    () =>
      contactOf(server, path) as Promise<Contact & { agent_version: number; attempts: { agent_version: number }[] }>,
    ({ status }) => status === "completed",
  );
  expect(done).toMatchObject({ agent_version: 1, attempts: [{ agent_version: 1 }] });
  const call = await until(
    async () => (await server.get<{ agent_version: number | null }>(`/api/v1/calls/${done.call_id}`)).body,
    ({ agent_version }) => agent_version !== null,
  );
  expect(call.agent_version).toBe(1);
});

it("a campaign can only be pinned to a version of its own agent, and a new agent removes the pin", async () => {
  const who = await tenant();
  const { server } = who;
  const settings = await ready(who);
  await tries(who, settings.agent_id);
  const unknown = await upload(server, contactsCsv(1), { ...settings, agent_version: "7" });
  expect(unknown).toMatchObject({ status: 400, body: "agent_version: the agent has no such version" });
  const { body } = await upload(server, contactsCsv(1), { ...settings, agent_version: "1" });
  const path = `/api/v1/campaigns/${body.id}`;
  expect((await server.patch(path, { agent_version: 2 })).status).toBe(400);
  expect((await server.patch(path, { agent_version: 0 })).status).toBe(400);
  expect((await server.patch(path, { agent_version: "live" })).body).toMatchObject({ agent_version: "live" });
  expect((await server.patch(path, { agent_version: 1 })).body).toMatchObject({ agent_version: 1 });
  const other = await newAgent(server);
  expect((await server.patch(path, { agent_id: other })).body).toMatchObject({
    agent_id: other,
    agent_version: "live",
  });
});
