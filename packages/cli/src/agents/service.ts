/** Reads agents from the service in the form of the files, and changes them to match the files. */
import type { Client } from "../api/client.ts";
import { EXIT, Failure, usage } from "../kernel/failure.ts";
import { isObject, type JsonObject, objectsOf, textOf } from "../kernel/json.ts";
import { type AttachedTool, canonical, changedFields, fromFiles, type LocalAgent, toFiles } from "./files.ts";

/** An agent's current state at the service. */
export interface Remote {
  agent: LocalAgent;
  etag: string;
  name: string;
}

/** Returns the ids of all agents, or of those given by id or name. @throws Failure for one that does not exist */
export async function agentIds(client: Client, wanted: readonly string[]): Promise<string[]> {
  const { value } = await client.request("GET", "/api/v1/agents");
  const all = Array.isArray(value) ? value.filter(isObject) : [];
  if (wanted.length === 0) return all.map((agent) => textOf(agent, "id"));
  return wanted.map((one) => idAmong(all, one));
}

/** Returns the id of the agent with this id or name. Case is ignored if it does not distinguish two agents. */
export function idAmong(all: readonly JsonObject[], wanted: string): string {
  const lower = wanted.toLowerCase();
  const ways = [
    (agent: JsonObject) => agent.id === lower,
    (agent: JsonObject) => agent.name === wanted,
    (agent: JsonObject) => textOf(agent, "name").toLowerCase() === lower,
  ];
  const named = ways.map((way) => all.filter(way)).find((found) => found.length > 0) ?? [];
  if (named.length > 1) throw usage(`${named.length} agents are called ${wanted}; use the id instead`);
  if (!named[0]) throw new Failure(EXIT.failed, "not_found", `there is no agent ${wanted}`);
  return textOf(named[0], "id");
}

/** Reads an agent with its ETag and its tools' settings. @throws Failure */
export async function readAgent(client: Client, id: string): Promise<Remote> {
  const path = `/api/v1/agents/${encodeURIComponent(id)}`;
  const [{ value, etag }, tools] = await Promise.all([client.request("GET", path), client.get(`${path}/tools`)]);
  if (!isObject(value)) throw new Failure(EXIT.failed, "unexpected", `agent ${id} cannot be read`);
  // Parsed from the files' texts, so that both sides of a comparison have the same form.
  const agent = fromFiles(toFiles(value, objectsOf(tools, "tools")), id);
  return { agent, etag: etag ?? "", name: textOf(value, "name") };
}

/** Creates an agent from its files and returns its id. */
export async function createAgent(client: Client, local: LocalAgent): Promise<string> {
  const { value } = await client.request("POST", "/api/v1/agents", { body: local.fields });
  return isObject(value) ? textOf(value, "id") : "";
}

/**
 * Changes an agent to the files' fields if its ETag is still current.
 * @throws Failure 412 of the service, with the author and time of the other change
 */
export async function changeAgent(client: Client, id: string, local: LocalAgent, remote: Remote): Promise<void> {
  const path = `/api/v1/agents/${encodeURIComponent(id)}`;
  const body = changedFields(local, remote.agent);
  if (Object.keys(body).length > 0) await client.request("PATCH", path, { body, ifMatch: remote.etag });
  await changeAttachments(client, path, local, remote.agent);
}

/** Attaches and detaches the attachments that differ, then sets the order if it differs. */
export async function changeAttachments(
  client: Client,
  path: string,
  local: LocalAgent,
  remote: LocalAgent,
): Promise<void> {
  const kinds = [
    { of: "faqs", field: "faq_id", now: remote.faqs ?? [], wanted: local.faqs ?? remote.faqs ?? [] },
    {
      of: "playbooks",
      field: "playbook_id",
      now: remote.playbooks ?? [],
      wanted: local.playbooks ?? remote.playbooks ?? [],
    },
  ];
  for (const { of, field, now, wanted } of kinds) {
    for (const name of wanted.filter((one) => !now.includes(one))) {
      await client.request("POST", `${path}/${of}`, { body: { [field]: name } });
    }
    for (const name of now.filter((one) => !wanted.includes(one))) {
      await client.request("DELETE", `${path}/${of}/${encodeURIComponent(name)}`);
    }
  }
  const [before, after] = [remote.tools ?? [], local.tools ?? remote.tools ?? []];
  for (const tool of after.filter((one) => !before.some((other) => sameTool(one, other)))) {
    await client.request("PUT", `${path}/tools`, {
      body: { tool_name: tool.tool_name, enabled: tool.enabled, config: tool.config },
    });
  }
  for (const { tool_name } of before.filter((one) => !after.some((other) => other.tool_name === one.tool_name))) {
    await client.request("DELETE", `${path}/tools/${encodeURIComponent(tool_name)}`);
  }
  await changeOrder(client, path, local);
}

const sameTool = (a: AttachedTool, b: AttachedTool) =>
  a.tool_name === b.tool_name && a.enabled === b.enabled && canonical(a.config) === canonical(b.config);

async function changeOrder(client: Client, path: string, local: LocalAgent): Promise<void> {
  const now = await client.get(path);
  const body: JsonObject = {};
  for (const [kind, key, wanted] of [
    ["faqs", "id", local.faqs],
    ["playbooks", "id", local.playbooks],
    ["tools", "tool_name", local.tools?.map(({ tool_name }) => tool_name) ?? null],
  ] as const) {
    const there = objectsOf(now, kind);
    const nameOf = (one: JsonObject) => textOf(one, kind === "tools" ? "tool_name" : "name");
    if (wanted === null || wanted.join("\n") === there.map(nameOf).join("\n")) continue;
    body[kind] = wanted.flatMap((name) => {
      const found = there.find((one) => nameOf(one) === name);
      return found ? [textOf(found, key)] : [];
    });
  }
  if (Object.keys(body).length > 0) await client.request("POST", `${path}/order`, { body });
}
