import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../src/dev/preflight.ts";
import { SCOPES } from "../../../src/kernel/scopes.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";
import { blocksOf } from "./blocks.ts";
import { openShell } from "./guide.ts";

/** The folder of the guide's files, from which they find `standardwebhooks`. */
const FOLDER = join(import.meta.dirname, "../../../dist/webhooks-guide");

let service: RunningWorker;
let blocks: { make: string; tried: string[]; node: string; worker: string };
const ports = { node: 0, worker: 0 };

beforeAll(async () => {
  [ports.node, ports.worker] = await Promise.all([freePort(), freePort()]);
  await mkdir(FOLDER, { recursive: true });
  const found = await blocksOf("guides/webhooks.md");
  const [make = "", ...tried] = found.flatMap(({ language, text }) => (language === "sh" ? [text] : []));
  const code = (name: string) => found.find(({ text }) => text.startsWith(`// ${name}`))?.text ?? "";
  blocks = { make, tried, node: code("receiver.mjs"), worker: code("worker.mjs") };
  service = await startWorker({ TOOL_HOSTS: `localhost:${ports.node},127.0.0.1:${ports.worker}` });
});
afterAll(async () => {
  await service?.stop();
  await rm(FOLDER, { recursive: true, force: true });
});

it("the webhooks guide's receiver in Node accepts only signed webhooks", async () => {
  const receiver = `http://localhost:${ports.node}/`;
  const { run, secret } = await reader(receiver);
  const printed = await startNode(secret);
  const [test, deliveries, resent] = await run();
  expect(test).toContain('"status":"delivered"');
  expect(deliveries).toContain('"type":"webhook.test"');
  expect(resent).toContain('"deliveries":0');
  expect(printed()).toContain("webhook.test");
  expect((await fetch(receiver, { method: "POST", body: "{}" })).status).toBe(400);
});

it("the webhooks guide's receiver in a Worker stores each event once", async () => {
  const receiver = `http://127.0.0.1:${ports.worker}/`;
  const { run, secret } = await reader(receiver);
  const worker = await startInWorker(secret);
  const [test] = await run();
  expect(test).toContain('"status":"delivered"');
  const kept = await (await worker.getKVNamespace("EVENTS")).list();
  expect(kept.keys.map(({ name }) => name)).toEqual([JSON.parse(test ?? "{}").event_id]);
  expect((await fetch(receiver, { method: "POST", body: "{}" })).status).toBe(400);
});

/** Follows the guide with a receiver at this address, up to the receiver's start. */
async function reader(receiver: string) {
  const shell = await openShell({ SWITCHBOARD: service.origin, API_KEY: await newKey(), RECEIVER: receiver });
  onTestFinished(() => shell.close());
  await shell.run(blocks.make);
  const secret = (await shell.run('echo "$WEBHOOK_SECRET"')).trim();
  expect(secret).toMatch(/^whsec_/);
  const run = async () => {
    const printed: string[] = [];
    for (const block of blocks.tried) printed.push(await shell.run(block));
    return printed;
  };
  return { run, secret };
}

async function startNode(WEBHOOK_SECRET: string): Promise<() => string> {
  const file = join(FOLDER, "receiver.mjs");
  await writeFile(file, blocks.node);
  const env = Object.assign({}, process.env, { WEBHOOK_SECRET, PORT: String(ports.node) });
  const child: ChildProcess = spawn(process.execPath, [file], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout?.on("data", (piece: Buffer) => {
    printed += piece.toString();
  });
  await expect
    .poll(() =>
      fetch(`http://localhost:${ports.node}/`).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  return () => printed;
}

async function startInWorker(WEBHOOK_SECRET: string): Promise<Miniflare> {
  const file = join(FOLDER, "worker.mjs");
  await writeFile(file, blocks.worker);
  const built = await build({ entryPoints: [file], bundle: true, format: "esm", write: false });
  const worker = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: ports.worker,
      cf: false,
      telemetry: { enabled: false },
      modules: true,
      script: built.outputFiles[0]?.text ?? "",
      compatibilityDate: "2026-01-01",
      bindings: { WEBHOOK_SECRET },
      kvNamespaces: ["EVENTS"],
    }),
  );
  onTestFinished(() => worker.dispose());
  await worker.ready;
  return worker;
}

async function newKey(): Promise<string> {
  const account = `t${crypto.randomUUID().slice(0, 8)}`;
  const post = async (as: string, path: string, body: object) => {
    const headers = Object.assign({ "content-type": "application/json" }, await service.signIn(as));
    return (await fetch(service.origin + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  await post("service-admin", "/api/admin/v1/accounts", { name: account, plan: "scale" });
  return ((await post(account, "/api/v1/api-keys", { name: "guide", scopes: SCOPES })) as { key: string }).key;
}
