import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { ROOT } from "../../src/dev/paths.ts";
import { launch } from "../process/support/browser.ts";
import { benchBoard } from "./console-board.ts";
import { median } from "./figures.ts";

const SIGN_IN = { name: /sign in/i };

/** Measures the console in a browser. */
export async function benchConsole(): Promise<void> {
  await firstScreen(5);
  await benchBoard();
}

/** Measures the time to the first screen of a newly started service in a new browser. */
async function firstScreen(runs: number): Promise<void> {
  console.log(`console: the first screen after npm start, ${runs} times`);
  const stateDir = await mkdtemp(join(tmpdir(), "switchboard-bench-"));
  try {
    const seen: FirstScreen[] = [];
    for (let run = 0; run < runs; run++) seen.push(await lookOnce(stateDir));
    report(
      "the first words or pictures",
      seen.map(({ paintMs }) => paintMs),
    );
    report(
      "the sign-in form",
      seen.map(({ formMs }) => formMs),
    );
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}

/** When each part was visible, ms after the address was opened. */
interface FirstScreen {
  paintMs: number;
  formMs: number;
}

/** Starts the service and opens the address as soon as the service prints it. The browser is already open. */
async function lookOnce(stateDir: string): Promise<FirstScreen> {
  const browser = await launch();
  try {
    const service = spawn(process.execPath, [join(ROOT, "src/dev/start.ts")], {
      env: { ...process.env, PORT: "0", STATE_DIR: stateDir },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      return await open(browser, await addressOf(service));
    } finally {
      service.kill("SIGINT");
      if (service.exitCode === null) await once(service, "exit");
    }
  } finally {
    await browser.close();
  }
}

/** Returns the console's address once the service prints it. @throws Error if the service exits first */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let said = "";
  // If the stream were closed, the service would end at its next line.
  for await (const chunk of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += String(chunk);
    const address = /Console\S*\s+(http:\S+)/.exec(said)?.[1];
    if (address) return address;
  }
  throw new Error(`npm start does not come up:\n${said}`);
}

async function open(browser: Browser, address: string): Promise<FirstScreen> {
  const page = await browser.newPage();
  const began = performance.now();
  await page.goto(address, { waitUntil: "commit" });
  await page.getByRole("heading", SIGN_IN).waitFor();
  await page.getByRole("button", SIGN_IN).waitFor();
  const formMs = performance.now() - began;
  const paintMs = await page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        new PerformanceObserver((list) => {
          const [paint] = list.getEntriesByName("first-contentful-paint");
          if (paint) resolve(paint.startTime);
        }).observe({ type: "paint", buffered: true }),
      ),
  );
  return { paintMs, formMs };
}

function report(what: string, times: number[]): void {
  console.log(`  ${what}: at best ${Math.min(...times).toFixed(0)} ms, median ${median(times).toFixed(0)} ms`);
}
