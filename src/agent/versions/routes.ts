import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv, Principal } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import type { AgentContent } from "./content.ts";
import type { FoundAgent } from "./content-reads.ts";
import * as contract from "./contract.ts";
import { diff } from "./diff.ts";
import { findAgent } from "./find-version.ts";
import { listVersions } from "./list-versions.ts";
import { manifestOf } from "./manifest.ts";
import { publishAgent } from "./publish.ts";
import { restoreVersion } from "./restore.ts";
import { projectContent, projectVersion } from "./version-projection.ts";

export const agentVersions = new OpenAPIHono<AppEnv>();

serve(agentVersions, contract.listVersions, ({ store, params: { id }, query }) => listVersions(store, id, query));

serve(agentVersions, contract.getVersion, async ({ store, params: { id, number } }) => {
  const found = await findAgent(store, id, [number]);
  const version = found.versions.get(number);
  if (!version) throw notFound("agent version");
  return Object.assign(projectVersion(version.row, await isLive(found, version.row)), {
    number,
    agent: projectContent(version.content),
  });
});

serve(agentVersions, contract.diffVersions, async ({ store, params: { id, from, to } }) => {
  const found = await findAgent(
    store,
    id,
    [from, to].filter((side) => side !== "draft"),
  );
  return { changes: diff(sideOf(found, from), sideOf(found, to)) };
});

serve(
  agentVersions,
  contract.publishAgent,
  ({ store, principal, params: { id }, body: { version, note, force }, now, ifMatch }) =>
    publishAgent({ store, caller: principal, actor: actorOf(principal), now }, { id, version, note, ifMatch, force }),
  idempotent("a version that is already published is returned as it is"),
);

serve(
  agentVersions,
  contract.restoreVersion,
  ({ env, store, inService, principal, params: { id, number }, now, ifMatch }) =>
    restoreVersion(
      { env, store, inService, caller: principal, actor: actorOf(principal), now },
      { id, number, ifMatch },
    ),
  idempotent("the same version is restored again"),
);

/** Checks whether new conversations use the version. */
async function isLive({ row, draft, inForce }: FoundAgent, { number, hash }: { number: number; hash: string }) {
  if (row.versioning === "manual") return number === inForce?.row.number;
  return hash === (await manifestOf(draft)).hash;
}

/** @throws ApiError 404 */
function sideOf({ draft, versions }: FoundAgent, side: number | "draft"): AgentContent {
  const content = side === "draft" ? draft : versions.get(side)?.content;
  if (!content) throw notFound("agent version");
  return content;
}

const actorOf = ({ kind, subject }: Principal) => `${kind}:${subject}`;
