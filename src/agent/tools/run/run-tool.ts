import { z } from "zod";
import type { integrationInstalls, tools } from "../../../kernel/db/schema/index.ts";
import { secretsContext } from "../../../kernel/db/seal-contexts.ts";
import { egressRules, judgeAddress } from "../../../kernel/egress/address.ts";
import { fetchOut, type OutAnswer } from "../../../kernel/egress/fetch-out.ts";
import { EgressRefused } from "../../../kernel/egress/open-out.ts";
import { inWords } from "../../../kernel/http/errors.ts";
import { logError } from "../../../kernel/log.ts";
import { Vault, VaultUnavailable } from "../../../kernel/secrets/vault.ts";
import { integrationNamed } from "../../integrations/fields.ts";
import { whyNotReady } from "../../integrations/readiness.ts";
import { effectOf } from "../effect.ts";
import { type Arguments, checkArguments } from "./arguments.ts";
import { mergeBound } from "./bind.ts";
import { type BuiltRequest, buildRequest, encodeBasic } from "./build-request.ts";
import { type HttpConfig, isSetUp, parseHttpConfig } from "./config.ts";
import { FillRefused, type Values } from "./fill.ts";
import { MASK, type Mask, maskOf } from "./mask.ts";
import { referencesOf } from "./references.ts";
import { hasSecrets, sentSecretFault } from "./secret-hosts.ts";
import { bodyOf, failed, type Outcome, outcomeOf } from "./tool-result.ts";

/** The maximum number of bytes of a response that are read. */
const MAX_ANSWER_BYTES = 256 * 1024;

export type ToolRow = Pick<
  typeof tools.$inferSelect,
  "name" | "implementation_type" | "implementation_config" | "schema" | "bind" | "effect"
>;
export type Install = typeof integrationInstalls.$inferSelect;

/** The dependencies of running a tool. */
export interface RunContext {
  env: Pick<Env, "ENCRYPTION_KEYS" | "TOOL_HOSTS" | "PUBLIC_URL" | "ALLOWED_HOSTS">;
  account: string;
  /** Returns the current time, ms. */
  now(): number;
  fetch: typeof fetch;
}

/** The result of a tool's run. It contains no secret, and `error` contains nothing of the service's response. */
export interface ToolRun {
  ok: boolean;
  /** The request that was sent, or that a dry run would send; null if there was none. */
  request: { method: string; url: string; headers: Record<string, string>; body: unknown } | null;
  response: { status: number; body: unknown } | null;
  /** The result for the model: taken from the response, or a description of the error. */
  result: unknown;
  duration_ms: number;
  error: string | null;
  /** Whether the request was sent without a complete response, so that its effect may have happened. */
  in_doubt: boolean;
  /** Set if the tool was refused because it would send a secret to a host for which it was not given. */
  code: "secret_host" | null;
}

interface RunOptions {
  /** Tools with effects send this as `Idempotency-Key`, so that the service recognizes a repeated request. */
  run_id?: string | null;
  /** Called right before the request is sent. Returns the reason why it must not be sent; null if it may be. */
  begin?(): string | null;
  /** Builds the request without sending it. */
  dry_run?: boolean;
  /** The values of bound arguments. A caller must not send these arguments. */
  bound?: Record<string, string>;
}

/**
 * Runs an http tool: checks the arguments, opens the secrets of its integrations, sends the request, and extracts the
 * configured result from the response. Failures of the service, the model or the configuration are results, not
 * exceptions.
 */
export async function runHttpTool(
  context: RunContext,
  tool: ToolRow,
  installs: Install[],
  args: unknown,
  { run_id = null, begin = () => null, dry_run = false, bound = {} }: RunOptions = {},
): Promise<ToolRun> {
  const begun = context.now();
  const done = (
    { ok, result, error }: Outcome,
    rest: Partial<Pick<ToolRun, "request" | "response" | "in_doubt" | "code">> = {},
  ): ToolRun => ({
    ok,
    request: rest.request ?? null,
    response: rest.response ?? null,
    result,
    duration_ms: Math.max(0, context.now() - begun),
    error,
    in_doubt: rest.in_doubt ?? false,
    code: rest.code ?? null,
  });
  let isOut = false;
  try {
    const prepared = await prepare(context, tool, installs, args, { bound, run_id });
    if ("refused" in prepared) return done(failed(prepared.refused), { code: prepared.code ?? null });
    const { config, request, shown, mask } = prepared;
    if (dry_run) {
      const verdict = judgeAddress(request.out.url, egressRules(context.env));
      const outcome =
        "url" in verdict
          ? { ok: true, result: null, error: null }
          : failed(`the address is refused: ${verdict.refused}`);
      return done(masked(outcome, mask), { request: shown });
    }
    const refusal = begin();
    if (refusal !== null) return done(failed(refusal));
    isOut = true;
    const answer = await ask(context, request, config.timeout_ms, hasSecrets(tool.implementation_config));
    if ("refused" in answer)
      return done(masked(failed(answer.refused), mask), { request: shown, in_doubt: answer.hasLeft });
    const body = bodyOf(answer, mask);
    const response = { status: answer.status, body };
    return done(outcomeOf(answer, body, config.response), { request: shown, response });
  } catch (error) {
    logError("tool_run", error, { account: context.account, tool: tool.name });
    return done(failed("the tool could not be run"), { in_doubt: isOut });
  }
}

interface Prepared {
  config: HttpConfig;
  request: BuiltRequest;
  shown: NonNullable<ToolRun["request"]>;
  mask: Mask;
}

interface Refused {
  refused: string;
  code?: ToolRun["code"];
}

async function prepare(
  context: RunContext,
  tool: ToolRow,
  installs: Install[],
  given: unknown,
  { bound, run_id }: { bound: Record<string, string>; run_id: string | null },
): Promise<Prepared | Refused> {
  const { implementation_type, implementation_config, schema } = tool;
  if (implementation_type !== "http") return { refused: "the tool is written in Python and runs in the runtime" };
  if (!isSetUp(implementation_config))
    return { refused: "the tool is not set up: its implementation_config has no url" };
  const parsed = parseHttpConfig(implementation_config);
  if ("faults" in parsed)
    return { refused: `the tool's implementation_config cannot be used: ${parsed.faults.map(inWords).join("; ")}` };
  const merged = mergeBound(tool, given, bound);
  if ("fault" in merged) return { refused: `the arguments are invalid: ${merged.fault}` };
  const checked = checkArguments(schema, merged.args);
  if ("faults" in checked) return { refused: `the arguments are invalid: ${checked.faults.join("; ")}` };
  const unavailable = whyNotReady(referencesOf(implementation_config), installs);
  if (unavailable !== null) return { refused: unavailable };
  try {
    const opened = await openStored(context, implementation_config, installs);
    const key = effectOf(tool) === "write" ? run_id : null;
    const prepared = makeRequest(parsed.config, checked.args, opened, key);
    const fault = sentSecretFault(implementation_config, prepared.request.out.url, installs);
    return fault === null ? prepared : { refused: fault, code: "secret_host" };
  } catch (error) {
    if (error instanceof FillRefused) return { refused: error.message };
    if (error instanceof VaultUnavailable) return { refused: "the secrets of its integrations cannot be decrypted" };
    throw error;
  }
}

/** The stored values of an integration: params and opened secrets. */
interface Stored {
  params: Record<string, unknown>;
  secrets: Record<string, string>;
}

const opened = z.record(z.string(), z.string());

/** @throws VaultUnavailable */
async function openStored({ env, account }: RunContext, config: Record<string, unknown>, installs: Install[]) {
  const vault = new Vault(env.ENCRYPTION_KEYS);
  const named = [...referencesOf(config).keys()].map(async (name): Promise<[string, Stored]> => {
    const id = integrationNamed(name)?.id;
    const install = installs.find((one) => one.id === id);
    if (!install?.secrets) return [name, { params: install?.params ?? {}, secrets: {} }];
    const secrets = opened.parse(await vault.open(install.secrets, secretsContext(account, install.id)));
    // A pasted value may end in a line break.
    const trimmed = Object.entries(secrets).map(([key, secret]) => [key, secret.trim()]);
    return [name, { params: install.params, secrets: Object.fromEntries(trimmed) }];
  });
  return new Map(await Promise.all(named));
}

/**
 * Builds the request, and a second time for display with marks instead of secrets, so that no encoding can hide a
 * secret.
 */
function makeRequest(
  config: HttpConfig,
  args: Arguments,
  stored: Map<string, Stored>,
  idempotencyKey: string | null,
): Prepared {
  const secrets = [...stored.values()].flatMap((one) => Object.values(one.secrets));
  const own = (record: Record<string, unknown> | undefined, field: string) =>
    record && Object.hasOwn(record, field) ? record[field] : undefined;
  const values = (mark: string | null): Values => ({
    args,
    stored(integration, field) {
      const one = stored.get(integration);
      const secret = own(one?.secrets, field);
      return secret === undefined ? own(one?.params, field) : (mark ?? secret);
    },
  });
  const credentials: string[] = [];
  const basic = (username: string, password: string) => {
    const encoded = encodeBasic(username, password);
    credentials.push(encoded);
    return encoded;
  };
  const request = buildRequest(config, values(null), { basic, idempotencyKey });
  const mask = maskOf([...secrets, ...credentials]);
  const { out, body } = buildRequest(config, values(MASK), { basic: () => MASK, idempotencyKey });
  const shown = {
    method: out.method,
    url: mask.text(out.url),
    headers: Object.fromEntries(Object.entries(out.headers).map(([name, value]) => [name, mask.text(value)])),
    body: mask.json(body),
  };
  return { config, request, shown, mask };
}

async function ask(
  { env, fetch }: RunContext,
  { out }: BuiltRequest,
  timeout_ms: number,
  same_origin: boolean,
): Promise<OutAnswer | { refused: string; hasLeft: boolean }> {
  try {
    return await fetchOut(out, {
      rules: egressRules(env),
      fetch,
      timeout_ms,
      max_bytes: MAX_ANSWER_BYTES,
      same_origin,
    });
  } catch (error) {
    if (error instanceof EgressRefused) return { refused: error.message, hasLeft: error.hasLeft };
    throw error;
  }
}

function masked({ ok, result, error }: Outcome, mask: Mask): Outcome {
  return { ok, result: mask.json(result), error: error && mask.text(error) };
}
