import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type MigrationFile, migrationHashes, withHashRow } from "../migration-files.ts";
import { freshSecrets } from "../secrets.ts";
import type { Cloudflare } from "./cloudflare.ts";
import { codeIn, explain } from "./explain.ts";
import { inviteOperator } from "./first-operator.ts";
import type { KeptSecrets } from "./kept-secrets.ts";
import { createBucket, createDatabase } from "./look.ts";
import type { Plan, State, Step } from "./plan.ts";
import { completed, type Target } from "./target.ts";
import type { Wrangler } from "./wrangler.ts";

export interface Tools {
  cloudflare: Cloudflare;
  wrangler: Wrangler;
  secrets: KeptSecrets;
  /** The path of the configuration written for wrangler. */
  configuration: string;
  now: () => Date;
  say: (line: string) => void;
}

/** The result of a deployment. */
export interface Done {
  /** The first operator's link; null if none was needed. */
  invited: { email: string; link: string; expires_at: string } | null;
  /** The version that was uploaded beside the serving one in a gradual deployment. */
  beside: { version: string; old: string } | null;
}

/**
 * Carries out a plan, and prints each step before it begins.
 * @throws Error with a sentence; the plan may then be repeated
 */
export async function carryOut(tools: Tools, target: Target, state: State, plan: Plan): Promise<Done> {
  const work = new Work(tools, target, state, plan);
  for (const step of plan.steps) {
    tools.say(`- ${describeStep(step)}`);
    await work.run(step);
  }
  return work.done;
}

export function describeStep(step: Step): string {
  switch (step.do) {
    case "create database":
      return `create the database ${step.name}`;
    case "create bucket":
      return `create the bucket ${step.name}`;
    case "keep fresh secrets":
      return `generate ${step.names.join(" and ")} and keep them on this machine`;
    case "apply migrations":
      return `migrate the database (${step.names.join(", ")})`;
    case "deploy":
      return `deploy the Worker at once${withSecrets(step.secrets)}`;
    case "deploy gradually":
      return `deploy the Worker for ${step.percentage} % of requests and objects${withSecrets(step.secrets)}`;
    case "invite operator":
      return `create a link for the first operator, ${step.email}`;
  }
}

const withSecrets = (names: string[]) => (names.length > 0 ? `, with ${names.join(" and ")}` : "");

class Work {
  readonly done: Done = { invited: null, beside: null };
  readonly #tools: Tools;
  readonly #target: Target;
  readonly #account: string;
  readonly #plan: Plan;
  readonly #migrations: MigrationFile[];
  #databaseId: string;

  constructor(tools: Tools, target: Target, state: State, plan: Plan) {
    this.#tools = tools;
    this.#target = target;
    this.#account = state.accountId;
    this.#plan = plan;
    this.#migrations = state.migrations;
    this.#databaseId = state.database?.id ?? "";
  }

  async run(step: Step): Promise<void> {
    const { cloudflare, secrets, now } = this.#tools;
    const account = `/accounts/${this.#account}`;
    switch (step.do) {
      case "create database":
        this.#databaseId = await createDatabase(cloudflare, account, step.name);
        return;
      case "create bucket":
        return createBucket(cloudflare, account, step.name);
      case "keep fresh secrets":
        return secrets.add(await someOf(step.names));
      case "apply migrations":
        await this.#writeMigrations();
        await this.#wrangler(["d1", "migrations", "apply", "DB", "--remote"]);
        return;
      case "deploy":
        await this.#upload(["deploy"], step.secrets);
        return;
      case "deploy gradually":
        return this.#deployGradually(step);
      case "invite operator": {
        const query = (sql: string, params: (string | number)[]) =>
          cloudflare.query(`${account}/d1/database/${this.#databaseId}`, sql, params);
        const { link, expires_at } = await inviteOperator(query, step.email, this.#plan.url, now());
        this.done.invited = { email: step.email, link, expires_at };
        return;
      }
    }
  }

  async #deployGradually({ secrets, percentage, beside }: Step & { do: "deploy gradually" }): Promise<void> {
    const { versionId } = await this.#upload(["versions", "upload"], secrets);
    if (versionId === null) throw new Error("wrangler did not report which version it uploaded");
    const shares = [`${versionId}@${percentage}`, `${beside}@${100 - percentage}`];
    await this.#wrangler(["versions", "deploy", ...shares, "--yes"]);
    this.done.beside = { version: versionId, old: beside };
  }

  /** Uploads the Worker together with the secrets that it lacks, so that no version ever runs without them. */
  #upload(command: string[], names: string[]) {
    if (names.length === 0) return this.#wrangler(command);
    return this.#tools.secrets.lent(names, (file) => this.#wrangler([...command, "--secrets-file", file]));
  }

  /** The folder of the migrations written for wrangler, each with a statement that stores its hash. */
  get #migrationsFolder(): string {
    return join(dirname(this.#tools.configuration), `${this.#target.environment}-migrations`);
  }

  async #writeMigrations(): Promise<void> {
    const folder = this.#migrationsFolder;
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    for (const file of this.#migrations) await writeFile(join(folder, file.name), withHashRow(file));
  }

  async #wrangler(args: string[]) {
    const { wrangler, configuration } = this.#tools;
    await mkdir(dirname(configuration), { recursive: true });
    const completion = {
      databaseId: this.#databaseId,
      url: this.#plan.url,
      migrationsFolder: this.#migrationsFolder,
      migrationHashes: migrationHashes(this.#migrations),
    };
    await writeFile(configuration, JSON.stringify(completed(this.#target, completion), null, 2));
    const run = await wrangler([...args, "--config", configuration]);
    if (run.ok) return run;
    const code = codeIn(run.output);
    const advice = code === null ? null : explain(code, this.#account);
    throw new Error(advice ?? `wrangler ${args[0]} failed:\n${run.output.trim()}`);
  }
}

async function someOf(names: string[]): Promise<Record<string, string>> {
  const fresh: Record<string, string> = await freshSecrets();
  return Object.fromEntries(
    names.map((name) => {
      const value = fresh[name];
      if (value === undefined)
        throw new Error(`the secret ${name} has no value: set it with npx wrangler secret put ${name}`);
      return [name, value];
    }),
  );
}
