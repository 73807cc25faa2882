import { and, eq, type SQL, sql } from "drizzle-orm";
import { type AccountStore, subject } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { isRevision } from "../../kernel/db/revision.ts";
import { agents, agentVersions } from "../../kernel/db/schema/index.ts";
import { ApiError, conflict, notFound } from "../../kernel/http/errors.ts";
import { changedMeanwhile } from "../../kernel/http/if-match.ts";
import type { Authority } from "../../kernel/scopes.ts";
import { announce } from "../../records/events/pending-events.ts";
import type { AgentContent } from "./content.ts";
import type { FoundAgent } from "./content-reads.ts";
import { findAgent } from "./find-version.ts";
import { type Manifest, manifestOf } from "./manifest.ts";
import { assertMayChange } from "./may-change.ts";
import { mayPublish, publishGate } from "./may-publish.ts";
import { isVersion, versionWrites } from "./record-version.ts";
import { projectVersion } from "./version-projection.ts";

interface Context {
  store: AccountStore;
  caller: Authority;
  /** The publisher, in the form of the audit log's actors. */
  actor: string;
  now: number;
}

interface Publication {
  id: string;
  /** The number of the version to publish; omitted for the draft. */
  version: number | undefined;
  /** Omitted to keep the current note. */
  note: string | undefined;
  /** The revision of the agent to publish; null for any. */
  ifMatch: number | null;
  /** Whether to publish although required tests do not pass. */
  force: boolean;
}

/** The maximum number of attempts if others change the agent in the meantime. */
const TRIES = 5;

const WITHOUT_VERSIONS =
  "the agent's versioning is auto, so its draft is live: set it to manual to publish an earlier version, or restore that version";

export const changing = () => conflict("changing", "another request is changing the agent; try again");

/**
 * Publishes an agent's draft or one of its versions. It publishes the content that it read, even if the agent is edited
 * in the meantime, and starts again if another version is published in the meantime.
 * @throws ApiError 403, 404, 409, 412
 */
export async function publishAgent(context: Context, publication: Publication) {
  // `force` is used only after tests have refused the version, so that the audit log marks only such publications as
  // forced.
  let force = false;
  for (let tries = 0; tries < TRIES; tries++) {
    const published = await tryToPublish(context, publication, force);
    if (published instanceof ApiError) {
      if (!publication.force) throw published;
      force = true;
    } else if (published) return published;
  }
  throw changing();
}

/**
 * Returns the published version, null if others changed the agent in the meantime, or an error if required tests refuse
 * it.
 */
async function tryToPublish(
  { store, caller, actor, now }: Context,
  { id, version: wanted, note, ifMatch }: Omit<Publication, "force">,
  force: boolean,
) {
  const found = await findAgent(store, id, wanted === undefined ? [] : [wanted]);
  const { row, inForce } = found;
  const { content, manifest } = await toPublish(found, wanted);
  if (row.versioning === "manual") assertMayChange(caller, inForce?.content ?? null, content);
  const { hash } = manifest;
  const at = new Date(now).toISOString();
  const candidate = { agent_id: id, versioning: row.versioning, hash, force };
  const gate = publishGate(store, candidate);
  const number = sql`(SELECT number FROM agent_versions WHERE account = ${store.account} AND agent_id = ${id} AND hash = ${hash})`;
  const isOther = sql`${agents.published_version} IS NOT ${number}`;
  const isNote =
    note === undefined
      ? sql`false`
      : sql`(SELECT note FROM agent_versions WHERE account = ${store.account} AND agent_id = ${id} AND hash = ${hash}) IS NOT ${note || null}`;
  const isChange = sql`(${isOther} OR ${agents.status} = 'draft' OR ${isNote})`;
  // A version that is already live needs no tests, because only its note can change.
  const isLiveAlready = sql`(${agents.published_version} IS ${number} AND ${agents.status} <> 'draft')`;
  // Limits the write to the agent as it was read: of two concurrent publications, the second reads again.
  const isAsRead = all(
    eq(agents.id, id),
    isRevision(agents, ifMatch),
    sql`${agents.published_version} IS ${row.published_version} AND ${agents.versioning} = ${row.versioning}`,
    sql`(${isLiveAlready} OR ${gate.isOpen})`,
    // A version that was deleted in the meantime is not created again under another number.
    wanted === undefined ? undefined : sql`${number} = ${wanted}`,
  );
  const whileRead = (more: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${agents} WHERE ${agents.account} = ${store.account} AND ${isAsRead} AND ${more})`;
  const marked = {
    note: note === undefined ? sql`${agentVersions.note}` : note || null,
    published_at: sql`iif(${whileRead(isOther)}, ${at}, ${agentVersions.published_at})`,
    published_by: sql`iif(${whileRead(isOther)}, ${actor}, ${agentVersions.published_by})`,
    used_at: at,
  };
  const set = {
    published_version: number,
    status: sql`iif(${agents.status} = 'draft', 'active', ${agents.status})`,
    updated_at: at,
  };
  const isIt = isVersion(id, hash);
  const [, , , , , , [changed], gateFound, version, after] = await store.write(
    { action: force ? "publish_forced" : "publish", resource: "agent", resource_id: id },
    ...versionWrites({ store, created_by: actor, now }, id, manifest, isAsRead),
    store.update(agentVersions, marked, all(isIt, whileRead(isChange))),
    announce(store, "agent.published", {
      from: agentVersions,
      where: all(isIt, eq(agentVersions.published_at, at), whileRead(isOther)),
      resource: agentVersions.agent_id,
      at: agentVersions.published_at,
      data: {
        agent_id: id,
        version: agentVersions.number,
        hash,
        published_by: actor,
        url: sql`${`/api/v1/agents/${id}/versions/`} || ${agentVersions.number}`,
      },
    }),
    subject(store.revise(agents, set, and(isAsRead, isChange) ?? sql`false`, null)),
    gate.found,
    store.first(agentVersions, { where: isIt }),
    store.first(agents, { where: eq(agents.id, id) }),
  );
  if (!after) throw notFound("agent");
  if (ifMatch !== null && (changed ? after.revision - 1 : after.revision) !== ifMatch)
    throw await changedMeanwhile(store, "agent", after);
  const isLive = version !== undefined && after.published_version === version.number && after.status !== "draft";
  if (!changed && !isLive) {
    return mayPublish(gateFound, candidate);
  }
  if (!version) return null;
  return Object.assign(projectVersion(version, true), { number: version.number, revision: after.revision });
}

/**
 * Returns the content to publish: the draft, or the version with this number.
 * @throws ApiError 404, 409 `versioning_auto`
 */
async function toPublish(
  { row, draft, versions }: FoundAgent,
  number: number | undefined,
): Promise<{ content: AgentContent; manifest: Manifest }> {
  if (number === undefined) return { content: draft, manifest: await manifestOf(draft) };
  const version = versions.get(number);
  if (!version) throw notFound("agent version", "version");
  if (row.versioning === "auto") throw conflict("versioning_auto", WITHOUT_VERSIONS);
  const { content } = version;
  const { hash, items } = version.row;
  return { content, manifest: { hash, fields: content.fields, items, bodies: new Map() } };
}
