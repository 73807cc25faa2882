import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startRuntime } from "../../../examples/runtime/server.js";
import { planOf } from "../../../packages/runtime-check/src/plan.ts";
import { freePort } from "../campaigns/service.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";
import { startRelay } from "./relay.js";

const ROOT = join(import.meta.dirname, "../../..");
/** A service with an account and a key of the account. */
interface Subject extends RunningWorker {
  key: string;
  ask<T>(method: string, path: string, body?: object): Promise<T>;
}

/** The service with the built-in runtime, and the one that uses a custom runtime. */
let worker: Subject;
let leading: Subject;
let carrierUrl: string;
let runtimePort: number;

async function subject(variables: Record<string, string>): Promise<Subject> {
  const running = await startWorker({ TWILIO_API_URL: carrierUrl, ...variables });
  const account = `check-${crypto.randomUUID().slice(0, 8)}`;
  const as = async <T>(whom: string, method: string, path: string, body?: object): Promise<T> => {
    const headers = { ...(await running.signIn(whom)), "content-type": "application/json" };
    const response = await fetch(running.origin + path, { method, headers, body: JSON.stringify(body) ?? null });
    const answer = await response.text();
    if (!response.ok) expect.fail(`${method} ${path}: ${response.status} ${answer}`);
    return JSON.parse(answer);
  };
  await as("service-admin", "POST", "/api/admin/v1/accounts", { name: account, plan: "scale" });
  const created = await as<{ key: string }>(account, "POST", "/api/v1/api-keys", { name: "check", expiry: "1d" });
  return { ...running, key: created.key, ask: (method, path, body) => as(account, method, path, body) };
}

beforeAll(async () => {
  carrierUrl = `http://127.0.0.1:${await freePort()}`;
  runtimePort = await freePort();
  worker = await subject({});
  leading = await subject({ VOICE_RUNTIME_URL: `ws://127.0.0.1:${runtimePort}` });
});
afterAll(() => Promise.all([worker?.stop(), leading?.stop()]));

/** Runs the script as a user does. */
async function run(...args: string[]) {
  const child = spawn(process.execPath, [join(ROOT, "packages/runtime-check/src/index.ts"), ...args], {
    cwd: ROOT,
    env: process.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code, output, errors };
}

interface Result {
  ok: boolean;
  checks: { name: string; verdict: string; detail: string }[];
}
/** Runs the script against the service, with calls by a carrier that the script plays. */
async function runAt({ origin, key }: Subject, url: string, ...args: string[]) {
  const { code, output, errors } = await run(
    url,
    "--service",
    origin,
    "--key",
    key,
    "--carrier-url",
    carrierUrl,
    "--json",
    ...args,
  );
  if (output === "") expect.fail(errors);
  const { ok, checks } = JSON.parse(output) as Result;
  return { code, ok, wrong: checks.filter(({ verdict }) => verdict !== "ok"), names: checks.map(({ name }) => name) };
}

const edge = () => `${worker.origin.replace(/^http/, "ws")}/runtime`;

describe("npm run runtime:check with a service that runs", () => {
  it.each(["conversation-relay", "widget"])(
    "the runtime check finds nothing wrong with the service's own runtime over %s",
    async (protocol) => {
      const result = await runAt(worker, edge(), "--protocol", protocol);
      expect(result).toMatchObject({ code: 0, ok: true, wrong: [] });
      expect(result.names).toContain("has a complete record");
    },
  );

  it("finds nothing wrong with custom runtimes, and leaves only conversations behind", async () => {
    const example = await startRuntime({ port: runtimePort, host: "127.0.0.1", switchboardUrl: leading.origin });
    const called = await runAt(leading, `ws://127.0.0.1:${runtimePort}`).finally(() => example.stop());
    expect(called).toMatchObject({ code: 0, ok: true, wrong: [] });
    const relay = await startRelay({ switchboardUrl: leading.origin, host: "127.0.0.1", key: leading.key });
    const visited = await runAt(leading, `ws://127.0.0.1:${relay.port}`, "--protocol", "widget");
    for (const client of relay.server.clients) client.terminate();
    relay.server.close();
    // The runtime learns of an end by the API only when it reports something.
    expect(visited.wrong.map(({ name }) => name)).toEqual([
      "closes the connection when the call ends",
      "has a complete record",
    ]);
    expect(visited.names).toContain("has both sides on record");
    const { ask } = leading;
    expect(await ask("GET", "/api/v1/agents")).toEqual([]);
    expect(await ask("GET", "/api/v1/telephony/providers")).toMatchObject({ total: 0 });
    const { calls } = await ask<{ calls: { status: string }[] }>("GET", "/api/v1/calls");
    expect(calls.filter(({ status }) => status !== "completed")).toEqual([]);
  });

  it("explains how to start a service that uses the built-in runtime", async () => {
    const address = `ws://127.0.0.1:${runtimePort}`;
    const { code, errors } = await run(
      ...[address, "--service", worker.origin, "--key", worker.key, "--carrier-url", carrierUrl],
    );
    expect([code, errors]).toEqual([2, expect.stringContaining(`start it with VOICE_RUNTIME_URL=${address}`)]);
  });

  it("exits with 1 and the reason if something is wrong", async () => {
    const { code, wrong } = await runAt(worker, edge(), "--carrier", "twilio", "--patience", "1");
    expect(code).toBe(1);
    expect(wrong.map(({ name, detail }) => `${name}: ${detail}`)).toEqual([
      expect.stringMatching(/^says its greeting: nothing was heard within 1\.0 s; the socket closed with 4400$/),
    ]);
  });
});

describe("npm run runtime:check", () => {
  it("exits with 2 and its usage, without a stack, if it has nothing to check with", async () => {
    const { code, errors } = await run("http://localhost");
    expect(errors).toMatch(/pass the address of a runtime[\s\S]*--contract-port/);
    expect(errors).not.toMatch(/\bat .*:\d+/);
    expect(code).toBe(2);
  });

  it("prints its usage for --help, and exits with 0", async () => {
    const { code, output, errors } = await run("--help");
    expect(output).toContain("--contract-port");
    expect([code, errors]).toEqual([0, ""]);
  });

  it.each([
    [[], /pass the address of a runtime/],
    [["ws://localhost", "--carrier", "toString"], /unknown carrier or protocol: toString/],
    [["ws://localhost", "--carrier", "vonage", "--protocol", "widget"], /use one of them/],
    [["ws://localhost", "--service", "http://localhost"], /--service needs --key/],
    [["ws://localhost", "--patience", "soon"], /--patience must be a number above 0, not soon/],
    [["ws://localhost", "--nonsense"], /nonsense/],
  ])("the runtime check refuses the arguments %j", (args, sentence) => {
    expect(() => planOf(args, {})).toThrow(sentence);
  });
});
