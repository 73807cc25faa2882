/** `agents push`: writes the files to the service, without overwriting changes that were not pulled. */
import type { Client } from "../api/client.ts";
import type { Session } from "../kernel/context.ts";
import { EXIT, Failure, usage } from "../kernel/failure.ts";
import { digest } from "./digest.ts";
import { completed, render, SETTINGS, unknownFields } from "./files.ts";
import { AgentsFolder, chosenFolders, type FolderOptions, type Kept } from "./folder.ts";
import { changeAgent, changeAttachments, createAgent, type Remote, readAgent } from "./service.ts";

type State = "unchanged" | "changed" | "created" | "conflict";

interface Plan {
  kept: Kept;
  remote: Remote | null;
  state: State;
}

/** Reads all agents before writing the first, so that a push with a conflict changes nothing. */
export async function push(session: Session, wanted: string[], options: FolderOptions): Promise<void> {
  const client = session.client();
  const folder = await AgentsFolder.open(options.dir);
  const plans: Plan[] = [];
  for (const kept of chosenFolders(folder, wanted)) plans.push(await planOf(client, folder, kept, options.force));
  for (const plan of plans) assertKnown(options.dir, plan);
  const conflict = plans.find(({ state }) => state === "conflict");
  if (conflict) throw await conflictOf(client, folder, conflict);
  const pushed: { folder: string; id: string | null; state: State }[] = [];
  for (const plan of plans) {
    const id = options.dryRun ? plan.kept.agent.id : await carryOut(client, folder, plan);
    pushed.push({ folder: plan.kept.folder, id, state: plan.state });
  }
  session.terminal.document({ dry_run: options.dryRun === true, agents: pushed });
  for (const one of pushed) session.terminal.print(`${one.state.padEnd(10)}${options.dir}/${one.folder}`);
}

/** Rejects settings that no agent has, which are typing errors. @throws Failure naming them */
function assertKnown(dir: string, { kept, remote }: Plan): void {
  const unknown = unknownFields(kept.agent, remote?.agent ?? null);
  if (unknown.length === 0) return;
  const named = unknown.map((name) => `“${name}”`).join(", ");
  throw usage(`${dir}/${kept.folder}/${SETTINGS}: agents have no setting ${named}`);
}

async function planOf(client: Client, folder: AgentsFolder, kept: Kept, force = false): Promise<Plan> {
  const { agent } = kept;
  if (agent.id === null) return { kept, remote: null, state: "created" };
  const remote = await readAgent(client, agent.id);
  const now = digest(remote.agent);
  if (digest(completed(agent, remote.agent)) === now) return { kept, remote, state: "unchanged" };
  const base = folder.bases.get(agent.id);
  const state = force || base?.digest === now ? "changed" : "conflict";
  return { kept, remote, state };
}

/** Carries out the plan and returns the agent's id. Sends the ETag that was read, so that later changes are refused. */
async function carryOut(client: Client, folder: AgentsFolder, { kept, remote, state }: Plan): Promise<string> {
  const { agent, folder: name } = kept;
  if (remote === null) {
    const id = await createAgent(client, agent);
    // Recorded before anything else can fail, so that another push does not create it again.
    const created = { id, fields: agent.fields, faqs: agent.faqs, playbooks: agent.playbooks, tools: agent.tools };
    const fresh = await readAgent(client, id);
    await folder.write(created, render(created), { etag: fresh.etag, digest: digest(fresh.agent) }, name);
    await changeAttachments(client, `/api/v1/agents/${id}`, agent, fresh.agent);
    await note(client, folder, id, created, name);
    return id;
  }
  const id = agent.id ?? "";
  if (state === "changed") await changeAgent(client, id, agent, remote);
  if (state === "changed") await note(client, folder, id, agent, name);
  else await folder.inStep(id, name, { etag: remote.etag, digest: digest(remote.agent) });
  return id;
}

/** Reads the result from the service and writes the fields that it added into the files. */
async function note(client: Client, folder: AgentsFolder, id: string, agent: Kept["agent"], name: string) {
  const { agent: now, etag } = await readAgent(client, id);
  const step = { etag, digest: digest(now) };
  if (digest(agent) === step.digest) await folder.inStep(id, name, step);
  else await folder.write(now, render(now), step, name);
}

/** Returns the error for a conflict, with the author and time of the other change as reported by the service. */
async function conflictOf(client: Client, folder: AgentsFolder, { kept, remote }: Plan): Promise<Failure> {
  const { agent, folder: name } = kept;
  const etag = folder.bases.get(agent.id ?? "")?.etag;
  const advice = `see it with switchboard agents diff ${name}; take it with pull --force, or write over it with push --force`;
  if (etag && remote && etag !== remote.etag) {
    try {
      // Writes the current value with the pull's tag. The service either refuses it or changes nothing.
      await client.request("PATCH", `/api/v1/agents/${agent.id}`, { body: { name: remote.name }, ifMatch: etag });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "changed_meanwhile") throw error;
      return new Failure(EXIT.conflict, error.code, `${name}: ${error.message}; ${advice}`, error.requestId);
    }
  }
  const what = etag
    ? "its attached FAQs, playbooks or tools have changed since the pull"
    : "it was never pulled into this folder";
  return new Failure(EXIT.conflict, "changed_meanwhile", `${name}: ${what}; ${advice}`);
}
