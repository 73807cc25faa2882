import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SCOPES } from "../../../src/kernel/scopes.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";
import { blocksOf } from "./blocks.ts";

const SDK = join(import.meta.dirname, "../../../packages/sdk/src/index.ts");

let service: RunningWorker;
let folder: string;
let blocks: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sdk-guide-"));
  blocks = (await blocksOf("guides/sdk.md")).flatMap(({ language, text }) => (language === "ts" ? [text] : []));
  service = await startWorker({ SANDBOX_RING_MS: "5", SANDBOX_TALK_MS: "5" });
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const isReceiver = (text: string) => text.startsWith("// receiver.ts");

it("the SDK guide's code runs from its first line to its last", async () => {
  const file = await built("guide", blocks.filter((text) => !isReceiver(text)).join("\n"));
  const env = Object.assign({}, process.env, {
    SWITCHBOARD_URL: service.origin,
    SWITCHBOARD_API_KEY: await newKey(),
  });
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
  const lines = stdout.trimEnd().split("\n");
  expect(lines.slice(0, 2)).toEqual(["made Reception of the SDK", "Reception of the SDK is active"]);
  const summaries = lines.filter((line) => /bytes$|contacts$/.test(line));
  expect([summaries[0], summaries.at(-2), summaries.at(-1)]).toEqual([
    expect.stringMatching(/^sent 0 of \d+ bytes$/),
    expect.stringMatching(/^sent (\d+) of \1 bytes$/),
    "2 contacts",
  ]);
  for (const number of ["+12025550130", "+12025550136"]) expect(lines).toContain(`${number} completed`);
  expect(lines.slice(-5)).toEqual([
    "the campaign is completed",
    "refused with 400 for limit",
    "the second was refused: changed_meanwhile",
    "made once: true",
    "settings of calls: true",
  ]);
});

it("the SDK guide's receiver accepts only signed webhooks", async () => {
  const { receive } = (await import(pathToFileURL(await built("receiver", blocks.find(isReceiver) ?? "")).href)) as {
    receive: (request: Request, secret: string) => Promise<Response>;
  };
  const secret = `whsec_${btoa("a secret of the guide's own, long")}`;
  const body = JSON.stringify({ id: "evt_1", type: "call.ended" });
  const now = new Date();
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("evt_1", now, body),
  };
  const answered = async (sent: string) =>
    (await receive(new Request("http://receiver/", { method: "POST", body: sent, headers }), secret)).status;
  expect([await answered(body), await answered(`${body} `)]).toEqual([204, 400]);
});

/** Builds the code as a Node module that includes the SDK. */
async function built(name: string, contents: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  const stdin = { contents, loader: "ts", resolveDir: import.meta.dirname } as const;
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node", alias: { "@switchboard/sdk": SDK } });
  return outfile;
}

async function newKey(): Promise<string> {
  const post = async (as: string, path: string, body: object) => {
    const headers = Object.assign({ "content-type": "application/json" }, await service.signIn(as));
    return (await fetch(service.origin + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  await post("service-admin", "/api/admin/v1/accounts", { name: "reader", plan: "scale" });
  return ((await post("reader", "/api/v1/api-keys", { name: "guide", scopes: SCOPES })) as { key: string }).key;
}
