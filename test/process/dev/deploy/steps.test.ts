import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { experimental_readRawConfig } from "wrangler";
import { carryOut } from "../../../../src/dev/deploy/carry-out.ts";
import { Cloudflare } from "../../../../src/dev/deploy/cloudflare.ts";
import { advised } from "../../../../src/dev/deploy/deployment.ts";
import { codeIn, explain } from "../../../../src/dev/deploy/explain.ts";
import { KeptSecrets } from "../../../../src/dev/deploy/kept-secrets.ts";
import { accountOf, look } from "../../../../src/dev/deploy/look.ts";
import { planOf } from "../../../../src/dev/deploy/plan.ts";
import { targetOf } from "../../../../src/dev/deploy/target.ts";
import { ready } from "../../../../src/dev/deploy/what-next.ts";
import type { Wrangler } from "../../../../src/dev/deploy/wrangler.ts";
import { ACCOUNT, StandIn } from "./cloudflare.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const { rawConfig } = experimental_readRawConfig({ config: join(ROOT, "wrangler.toml") });
let standIn: StandIn;
let folder: string;
let secrets: KeptSecrets;
beforeEach(async () => {
  standIn = new StandIn();
  await standIn.start();
  folder = await mkdtemp(join(tmpdir(), "switchboard-deploy-"));
  secrets = new KeptSecrets(join(folder, "secrets/production.env"));
});
afterEach(async () => {
  standIn.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A stand-in for wrangler without its delays: migrations run, and a Worker exists with its secrets. */
const wrangler: Wrangler = async (args) => {
  const configuration = JSON.parse(await readFile(args.at(-1) ?? "", "utf8"));
  const database = [...standIn.databases.values()].find(
    ({ uuid }) => uuid === configuration.d1_databases[0].database_id,
  );
  if (args[0] === "d1") {
    database?.sqlite.exec("CREATE TABLE d1_migrations (name TEXT)");
    const migrationsFolder = configuration.d1_databases[0].migrations_dir;
    for (const name of (await readdir(migrationsFolder)).sort()) {
      database?.sqlite.exec(await readFile(join(migrationsFolder, name), "utf8"));
      database?.sqlite.prepare("INSERT INTO d1_migrations VALUES (?)").run(name);
    }
  } else {
    const file = args[args.indexOf("--secrets-file") + 1];
    const given = args.includes("--secrets-file") ? JSON.parse(await readFile(file ?? "", "utf8")) : {};
    const before = standIn.workers.get(configuration.name)?.secrets;
    standIn.workers.set(configuration.name, {
      secrets: Object.assign({}, before, given),
      metadata: { bindings: [] },
      classTag: configuration.migrations.at(-1).tag,
      versions: [{ version_id: "v", percentage: 100 }],
    });
  }
  return { ok: true, output: "", versionId: "new" };
};

interface Options {
  wrangler?: Wrangler;
  environment?: string;
  gradual?: number;
  say?: (line: string) => void;
}

/** Runs the deployment once, with a wrangler that may break off. */
async function run(options: Options = {}) {
  const target = targetOf(rawConfig, options.environment ?? "production", ROOT);
  const cloudflare = new Cloudflare({ fetch, base: standIn.base, headers: { authorization: "Bearer t" } });
  return advised(ACCOUNT, async () => {
    const kept = Object.keys(await secrets.all());
    const state = await look(cloudflare, ACCOUNT, target, kept, join(ROOT, "migrations"));
    const plan = planOf(target, state, { operator: "you@example.com", gradual: options.gradual ?? null }, secrets.file);
    const configuration = join(folder, "configuration.json");
    const tools = { cloudflare, wrangler: options.wrangler ?? wrangler, secrets, configuration, now: () => new Date() };
    return carryOut(Object.assign(tools, { say: options.say ?? (() => undefined) }), target, state, plan);
  });
}

/** Simulates the end of the process. */
class BrokenOff extends Error {}

describe("a deployment", () => {
  it("an interrupted deployment is completed by the next run with the same secrets", async () => {
    for (let nth = 1; nth <= 8; nth++) {
      let left = nth;
      const say = () => {
        if (--left === 0) throw new BrokenOff();
      };
      const broken = await run({ say }).catch((error: unknown) => error);
      if (!(broken instanceof BrokenOff)) break;
      const kept = await secrets.all();
      const { invited } = await run();
      expect(invited?.link, `after ${nth} steps`).toMatch(
        /^https:\/\/switchboard\.example\.workers\.dev\/console\/reset-password#service-admin\./,
      );
      expect(await secrets.all()).toMatchObject(kept);
      expect(standIn.workers.get("switchboard")?.secrets).toEqual(await secrets.all());
      expect(standIn.databases.size).toBe(1);
      // The next run starts from the beginning.
      standIn.databases.clear();
      standIn.buckets.clear();
      standIn.workers.clear();
      await rm(join(folder, "secrets"), { recursive: true });
    }
  });

  it("gives an operator one link at a time, and none after it is used", async () => {
    const { invited: first } = await run();
    const { invited: second } = await run();
    expect(second?.link).not.toBe(first?.link);
    const { sqlite } = standIn.databases.get("switchboard") ?? {};
    expect(sqlite?.prepare("SELECT count(*) AS links FROM password_resets").get()).toEqual({ links: 1 });
    sqlite?.exec("UPDATE users SET password_hash = 'x'");
    expect((await run()).invited).toBeNull();
  });

  it("a gradual deployment runs beside the current one with its share of the requests", async () => {
    await run();
    const questions: string[] = [];
    const noting: Wrangler = async (args) => {
      questions.push(args.slice(0, 5).join(" "));
      return { ok: true, output: "", versionId: "new" };
    };
    const { beside } = await run({ wrangler: noting, gradual: 10 });
    expect(beside).toEqual({ version: "new", old: "v" });
    expect(questions).toEqual([
      expect.stringMatching(/^versions upload --config/),
      "versions deploy new@10 v@90 --yes",
    ]);
  });

  it("keeps an existing secret, and creates the missing one", async () => {
    await run();
    const worker = standIn.workers.get("switchboard");
    if (worker) worker.secrets = { ENCRYPTION_KEYS: "theirs" };
    await rm(secrets.file);
    await run();
    const now = standIn.workers.get("switchboard")?.secrets;
    expect(now?.ENCRYPTION_KEYS).toBe("theirs");
    expect(Object.keys(await secrets.all())).toEqual(["SIGNING_KEYS"]);
  });

  it("a deployment of staging touches nothing of production", async () => {
    await run();
    const before = { worker: standIn.workers.get("switchboard"), database: standIn.databases.get("switchboard")?.uuid };
    secrets = new KeptSecrets(join(folder, "secrets/staging.env"));
    await run({ environment: "staging" });
    expect([...standIn.workers.keys()]).toEqual(["switchboard", "switchboard-staging"]);
    expect([...standIn.databases.keys()]).toEqual(["switchboard", "switchboard-staging"]);
    expect(standIn.buckets.size).toBe(6);
    expect(standIn.workers.get("switchboard")).toBe(before.worker);
    const [one, other] = [...standIn.workers.values()].map((worker) => worker.secrets.ENCRYPTION_KEYS);
    expect(one).not.toBe(other);
  });

  it("refuses a database with demo users, whose password is public", async () => {
    await run();
    const { sqlite } = standIn.databases.get("switchboard") ?? {};
    sqlite?.exec("UPDATE users SET email = 'operator@switchboard.example'");
    const changes = standIn.changes.length;
    await expect(run()).rejects.toThrow(/operator@switchboard\.example, whose password is public/);
    expect(standIn.changes.length).toBe(changes);
  });

  it("explains what to do about a database that was migrated by a file that has changed since", async () => {
    await run();
    const { sqlite } = standIn.databases.get("switchboard") ?? {};
    expect(sqlite?.prepare("SELECT count(*) AS n FROM migration_hashes").get()).toEqual(
      sqlite?.prepare("SELECT count(*) AS n FROM d1_migrations").get(),
    );
    sqlite?.exec("UPDATE migration_hashes SET hash = 'other' WHERE name = '0000_release_0_3.sql'");
    const changes = standIn.changes.length;
    await expect(run()).rejects.toThrow(/^0000_release_0_3\.sql changed after .*git checkout .* -- migrations/);
    expect(standIn.changes.length).toBe(changes);
  });

  it("refuses names that are taken in the account, before anything is created", async () => {
    standIn.workers.set("switchboard", {
      secrets: {},
      metadata: { bindings: [{ type: "kv_namespace", name: "THEIRS" }] },
      classTag: null,
      versions: [{ version_id: "theirs", percentage: 100 }],
    });
    await expect(run()).rejects.toThrow(/Worker switchboard exists and is another application/);
    standIn.workers.clear();
    const sqlite = new DatabaseSync(":memory:");
    sqlite.exec("CREATE TABLE posts (id TEXT)");
    standIn.databases.set("switchboard", { uuid: "theirs", sqlite });
    await expect(run()).rejects.toThrow(/database switchboard exists and belongs to another application/);
    expect(standIn.changes).toEqual([]);
  });

  it("explains what to do if R2 is not switched on, before anything is created", async () => {
    standIn.hasR2 = false;
    await expect(run()).rejects.toThrow(/R2 is not switched on.*\/r2\/overview/);
    expect(standIn.changes).toEqual([]);
  });

  it.each([
    [100328, /Workers Paid/],
    [10136, /R2 is not switched on/],
    [10063, /workers\.dev/],
    [10000, /wrangler login/],
  ])("a deployment explains what to do if wrangler fails with code %d", async (code, sentence) => {
    const failing: Wrangler = async () => ({ ok: false, output: `✘ [ERROR] words [code: ${code}]`, versionId: null });
    await expect(run({ wrangler: failing })).rejects.toThrow(sentence);
  });

  it("passes on wrangler's other errors, and leaves no file with secrets but the stored one", async () => {
    const failing: Wrangler = async (args) =>
      args[0] === "d1" ? wrangler(args) : { ok: false, output: "the bundle does not build", versionId: null };
    await expect(run({ wrangler: failing })).rejects.toThrow(/wrangler deploy failed:\nthe bundle does not build/);
    await expect(readFile(`${secrets.file}.upload.json`)).rejects.toThrow(/ENOENT/);
  });
});

describe("a deployment from the command line", () => {
  it("keeps the owner's lines beside the secrets, and ignores an incomplete file", async () => {
    await secrets.add({ A: "1" });
    await writeFile(secrets.file, "# mine\nA='other'");
    await writeFile(`${secrets.file}.draft`, "A='1'\nB='2");
    await secrets.add({ A: "1", C: "3" });
    expect(await readFile(secrets.file, "utf8")).toBe("# mine\nA='other'\nC='3'\n");
    expect((await stat(secrets.file)).mode & 0o777).toBe(0o600);
  });

  it("names the accounts if there are several", async () => {
    const cloudflare = new Cloudflare({ fetch, base: standIn.base, headers: {} });
    expect(await accountOf(cloudflare, undefined)).toBe(ACCOUNT);
    expect(await accountOf(cloudflare, "other")).toBe("other");
  });

  it("finds Cloudflare's error code in wrangler's output, and explains no other", () => {
    expect(codeIn("a [code: 100328] b")).toBe(100328);
    expect(codeIn("a code")).toBeNull();
    expect(explain(1, "a")).toBeNull();
  });

  it("polls until the deployment is ready, and gives up after a limit", async () => {
    let requests = 0;
    const ask = async () => ({ status: ++requests < 3 ? 503 : 200, body: "words" });
    const pause = async () => undefined;
    expect(await ready("https://x", ask, { tries: 5, pause })).toEqual({ ok: true, lastAnswer: "words" });
    requests = -10;
    expect(await ready("https://x", ask, { tries: 5, pause })).toEqual({ ok: false, lastAnswer: "503 words" });
  });
});
