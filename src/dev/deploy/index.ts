/**
 * `npm run deploy [-- --env staging] [--operator you@example.com] [--gradual 10] [--dry-run] [--no-wait]` checks what
 * exists in the Cloudflare account, creates what is missing, and deploys. May be interrupted at any time and repeated.
 */
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { parseArgs } from "node:util";
import { failureText } from "../failure.ts";
import { ROOT } from "../paths.ts";
import { carryOut, describeStep } from "./carry-out.ts";
import { advised, openDeployment } from "./deployment.ts";
import { operatorAddress } from "./first-operator.ts";
import { look } from "./look.ts";
import { planOf, Refused, uploadsSecrets } from "./plan.ts";
import { ready, whatNext } from "./what-next.ts";
import { wranglerIn } from "./wrangler.ts";

/** A new Worker's address may take a minute to resolve everywhere. */
const READY_RETRIES = { tries: 30, pause: () => after(3_000) };

try {
  await deploy();
} catch (error) {
  const reasons = error instanceof Refused ? error.reasons : [failureText(error)];
  for (const reason of reasons) console.error(`deploy: ${reason}`);
  process.exit(1);
}

async function deploy(): Promise<void> {
  const { values } = parseArgs({
    options: {
      env: { type: "string" },
      operator: { type: "string" },
      gradual: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      "no-wait": { type: "boolean", default: false },
    },
  });
  const operator = values.operator === undefined ? null : operatorAddress(values.operator);
  const gradual = values.gradual === undefined ? null : Number(values.gradual);
  const { target, cloudflare, accountId, secrets, configuration } = await openDeployment(values.env, process.env);
  const kept = Object.keys(await secrets.all());
  const state = await advised(accountId, () => look(cloudflare, accountId, target, kept, join(ROOT, "migrations")));
  const plan = planOf(target, state, { operator, gradual }, secrets.file);
  console.log(`${target.worker} at ${plan.url}, in the Cloudflare account ${accountId}`);
  for (const note of plan.notes) console.log(note);
  if (values["dry-run"]) {
    for (const step of plan.steps) console.log(`- would ${describeStep(step)}`);
    return;
  }
  const tools = {
    cloudflare,
    wrangler: wranglerIn(accountId, process.env),
    secrets,
    configuration,
    now: () => new Date(),
    say: (line: string) => console.log(line),
  };
  const done = await advised(accountId, () => carryOut(tools, target, state, plan));
  const words = whatNext(target, plan.url, done, uploadsSecrets(plan) ? secrets.file : null);
  console.log(`deployed${words && `\n\n${words}`}`);
  if (!values["no-wait"]) await waitUntilReady(plan.url);
}

async function waitUntilReady(url: string): Promise<void> {
  const fetchStatus = async (address: string) => {
    const response = await fetch(address, { signal: AbortSignal.timeout(10_000) });
    return { status: response.status, body: await response.text() };
  };
  const { ok, lastAnswer } = await ready(url, fetchStatus, READY_RETRIES);
  if (!ok) throw new Error(`deployed, but ${url}/readyz is not ready yet: ${lastAnswer}`);
  console.log(`\n${url} is ready.`);
}
