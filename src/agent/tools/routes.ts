import { OpenAPIHono } from "@hono/zod-openapi";
import { and, asc, eq } from "drizzle-orm";
import { integrationInstalls, tools as toolTable } from "../../kernel/db/schema/index.ts";
import { contains } from "../../kernel/db/search.ts";
import { eachShown, rowsOf, selectIfSmall } from "../../kernel/db/wide-rows.ts";
import { egressRules } from "../../kernel/egress/address.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { conflict, invalid, invalidField, notFound } from "../../kernel/http/errors.ts";
import { serve } from "../../kernel/http/serve.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { toolRunsOf } from "../../records/ledger/tool-runs-of.ts";
import {
  byIdOrName,
  countsOf,
  deleteItem,
  displayName,
  findItem,
  itemOf,
  refuseTakenName,
  seenBy,
  takenName,
} from "../items.ts";
import { isBuiltIn } from "./built-in-names.ts";
import * as contract from "./contract.ts";
import { projectTool } from "./effect.ts";
import { assertMayName, installsOf } from "./integrations-named.ts";
import { checkArguments } from "./run/arguments.ts";
import { mergeBound } from "./run/bind.ts";
import { assertRunnable, assertSecretHosts } from "./run/check-tool.ts";
import { runHttpTool } from "./run/run-tool.ts";
import { toolRunReport } from "./run/tool-runs.ts";
import * as runs from "./runs-contract.ts";
import { updateTool } from "./update-tool.ts";

export const tools = new OpenAPIHono<AppEnv>();

serve(tools, contract.listTools, async ({ store, principal, query }) => {
  const { category, type, search, limit, offset } = query;
  const others = and(
    type === undefined ? undefined : eq(toolTable.implementation_type, type),
    contains([toolTable.name, toolTable.display_name, toolTable.description], search),
    seenBy(principal, store, toolTable),
  );
  const where = and(others, category === undefined ? undefined : eq(toolTable.category, category));
  const { implementation_code, implementation_config, schema, bind, description } = toolTable;
  const texts = [implementation_code, implementation_config, schema, bind, description];
  const page = { table: toolTable, where, orderBy: [asc(toolTable.name)], limit, offset, texts };
  const [rows, counts] = await store.read(
    selectIfSmall(store, page),
    store.countBy(toolTable, { value: toolTable.category }, { where: others }),
  );
  const { categories, sum } = countsOf(counts);
  const total = category === undefined ? sum : (categories[category] ?? 0);
  const tools = eachShown(await rowsOf(store, page, { rows, total }), projectTool);
  return { tools, total, limit, offset, categories };
});

serve(
  tools,
  contract.createTool,
  async ({ env, store, principal, body, now, newId }) => {
    if (isBuiltIn(body.name)) throw takenName("tool");
    assertMayName(principal, body.implementation_config);
    assertRunnable(body, { schema: true, config: true, bind: true }, egressRules(env));
    await assertSecretHosts(body, () => installsOf(store));
    const id = newId();
    const at = new Date(now).toISOString();
    const row = {
      ...body,
      id,
      display_name: body.display_name ?? displayName(body.name),
      is_default: false,
      modified_from_default: false,
      created_at: at,
      updated_at: at,
    };
    const entry = { action: "create", resource: "tool", resource_id: id } as const;
    await refuseTakenName(store.write(entry, store.insert(toolTable, row)), "tool");
    return projectTool(row);
  },
  async ({ store }, id) => {
    const row = await itemOf(store, toolTable, id);
    return row && projectTool(row);
  },
);

serve(tools, contract.getTool, async ({ store, principal, params }) =>
  projectTool(await findItem(store, toolTable, params.id, "tool", seenBy(principal, store, toolTable))),
);

serve(tools, contract.updateTool, async ({ env, store, principal, params, body, now, ifMatch }) =>
  projectTool(
    await updateTool({ env, store, caller: principal, now }, { idOrName: params.id, changes: body, ifMatch }),
  ),
);

serve(tools, contract.deleteTool, async ({ env, store, params }) => {
  const deleted = await deleteItem(store, toolTable, params.id, "tool");
  // If this is interrupted, the remaining runs are still not shown for a later tool with the same name.
  for (const volume of await new Ledger({ env, store }).volumes()) await volume.deleteToolRuns(deleted.name);
  return deleted;
});

serve(
  tools,
  runs.runTool,
  async ({ env, store, principal, params, body, newId }) => {
    const [tool, installs] = await store.read(
      store.first(toolTable, { where: byIdOrName(toolTable, params.id) }),
      store.select(integrationInstalls),
    );
    if (!tool) throw notFound("tool");
    assertMayName(principal, tool.implementation_config);
    if (tool.implementation_type !== "http") {
      throw invalid("this tool is written in Python and only runs in your own runtime", "runs_elsewhere");
    }
    const merged = mergeBound(tool, body.arguments, body.bound);
    if ("fault" in merged) throw invalidArguments(merged.fault);
    const checked = checkArguments(tool.schema, merged.args);
    if ("faults" in checked) throw invalidArguments(checked.faults.join("; "));
    const context = {
      env,
      account: store.account,
      now: Date.now,
      fetch: (...sent: Parameters<typeof fetch>) => fetch(...sent),
    };
    const at = new Date().toISOString();
    const run_id = newId();
    const { dry_run, bound } = body;
    const ledger = new Ledger({ env, store });
    const resource_name = tool.display_name || tool.name;
    // The run is recorded before anything is sent, in the volume for its time.
    if (!dry_run)
      await ledger.note(store.act({ action: "run", resource: "tool", resource_id: tool.id, resource_name }), run_id);
    const run = await runHttpTool(context, tool, installs, body.arguments, { run_id, dry_run, bound });
    if (run.code === "secret_host") throw invalid(run.error ?? run.code, run.code);
    if (body.dry_run) return run;
    const { ok, response, duration_ms, error } = run;
    const row = {
      id: run_id,
      tool_name: tool.name,
      at,
      conversation_id: null,
      tool_call_id: null,
      ok,
      status: response?.status ?? null,
      duration_ms,
      error,
    };
    await ledger.report([toolRunReport(row)]);
    return run;
  },
  async ({ body }) => {
    if (body.dry_run) return null;
    throw conflict("idempotency_outcome_unknown", OUTCOME_UNKNOWN);
  },
);

/** The response to a retry whose first attempt was interrupted: it is unknown whether the request was sent. */
const OUTCOME_UNKNOWN =
  "an earlier attempt with this Idempotency-Key was interrupted, and the tool may have run; use a new key to " +
  "run it again";

serve(tools, runs.listToolRuns, async ({ env, store, params }) => {
  const [tool] = await store.read(
    store.first(toolTable, { where: byIdOrName(toolTable, params.id), columns: ["name", "created_at"] }),
  );
  if (!tool) throw notFound("tool");
  // Excludes late runs of a deleted tool with the same name.
  return { runs: await toolRunsOf(new Ledger({ env, store }), tool.name, tool.created_at) };
});

const invalidArguments = (faults: string) => invalidField("arguments", "invalid_arguments", faults, faults);
