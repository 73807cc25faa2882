import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiClient } from "../../../src/dev/client.ts";
import { ACME } from "../../../src/dev/demo-data.ts";
import { freePort } from "../campaigns/service.ts";

const ROOT = join(import.meta.dirname, "../../..");
let url: string;
let stateDir: string;
let service: ChildProcess;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  stateDir = await mkdtemp(join(tmpdir(), "switchboard-"));
  // Builds the Worker itself, as a reader of the README does.
  service = spawn(process.execPath, ["src/dev/start.ts"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PORT: String(port), STATE_DIR: stateDir, RATE_LIMITS: "off" },
  });
  if (!service.stdout) throw new Error("the service has no output");
  for await (const line of createInterface(service.stdout)) if (line.includes(String(port))) break;
}, 240_000);

afterAll(async () => {
  const exited = once(service, "exit");
  service.kill("SIGTERM");
  await exited;
  await rm(stateDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

/** Returns the configuration of the widget on the demo's page, as a browser there receives it. */
async function shownByDemo(): Promise<{ guests: boolean; agent: { greeting_message: string } }> {
  const port = await freePort();
  const demo = spawn(process.execPath, ["src/dev/demo-widget.ts"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, BASE_URL: url, DEMO_PORT: String(port) },
  });
  const exited = once(demo, "exit");
  try {
    for await (const line of createInterface(demo.stdout)) if (line.includes(String(port))) break;
    const origin = `http://localhost:${port}`;
    const [, key] = /data-client-key="([^"]+)"/.exec(await (await fetch(origin)).text()) ?? [];
    const config = await fetch(`${url}/api/v1/widget/config?client_key=${key}`, { headers: { origin } });
    expect(config.status).toBe(200);
    return (await config.json()) as Awaited<ReturnType<typeof shownByDemo>>;
  } finally {
    demo.kill("SIGTERM");
    await exited;
  }
}

describe("npm run demo:widget", () => {
  it("shows an agent that accepts guests, before and after npm run demo", async () => {
    const shown = { guests: true, agent: { greeting_message: expect.not.stringContaining("{{") } };
    expect(await shownByDemo()).toMatchObject(shown);
    const owner = await new ApiClient(url, fetch).signIn(ACME);
    const agents = () => owner.get<{ name: string; faqs: unknown[] }[]>("/api/v1/agents");
    expect((await agents()).find(({ name }) => name === "Ada")?.faqs).toHaveLength(7);
    const ofCampaign = { name: "Ada", status: "active", greeting_message: "Hello {{name}}, is now a good time?" };
    await owner.post("/api/v1/agents", ofCampaign);
    const before = await agents();
    expect(await shownByDemo()).toMatchObject(shown);
    expect(await agents()).toEqual(before);
  });
});
