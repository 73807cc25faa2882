import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { experimental_readRawConfig } from "wrangler";
import { readOwnSettings, withOwnSettings } from "../../../../src/dev/deploy/own-settings.ts";
import { targetOf } from "../../../../src/dev/deploy/target.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const read = (config: string) => experimental_readRawConfig({ config }).rawConfig;
const release = read(join(ROOT, "wrangler.toml"));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "switchboard-own-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Returns what is deployed with this deployment.toml. */
async function deployedWith(toml: string, environment = "production") {
  const file = join(folder, "deployment.toml");
  await writeFile(file, toml);
  const raw = withOwnSettings(release, await readOwnSettings(file, read), file);
  return { raw, target: targetOf(raw, environment, ROOT) };
}

describe("deployment.toml", () => {
  it("changes nothing if it is absent or empty", async () => {
    expect(await readOwnSettings(join(folder, "absent.toml"), read)).toEqual({});
    expect((await deployedWith("")).raw).toEqual(release);
  });

  it("overrides variables of wrangler.toml, and leaves the others", async () => {
    const { target } = await deployedWith('[vars]\nLLM_MODEL = "gpt-5-mini"\n');
    const { vars } = targetOf(release, "production", ROOT);
    expect(target.vars).toEqual(Object.assign({}, vars, { LLM_MODEL: "gpt-5-mini" }));
  });

  it("sets a custom domain, mail and the destination of spans", async () => {
    const { target, raw } = await deployedWith(`
      routes = [{ pattern = "calls.example.com", custom_domain = true }]
      [[send_email]]
      name = "EMAIL"
      [ai]
      binding = "AI"
      [observability.traces]
      destinations = ["collector-traces"]
    `);
    expect(target.domains).toEqual(["calls.example.com"]);
    expect(target.configuration.send_email).toEqual([{ name: "EMAIL" }]);
    expect(target.configuration.ai).toEqual({ binding: "AI" });
    expect(raw.observability).toMatchObject({
      enabled: true,
      logs: { invocation_logs: false },
      traces: { enabled: true, head_sampling_rate: 0.05, destinations: ["collector-traces"] },
    });
  });

  it("renames a database and a bucket by their bindings, and leaves the other buckets", async () => {
    const { target } = await deployedWith(`
      [[d1_databases]]
      binding = "DB"
      database_name = "calls"
      [[r2_buckets]]
      binding = "CONVERSATIONS"
      bucket_name = "calls-transcripts"
    `);
    expect([target.database, target.buckets]).toEqual([
      "calls",
      ["switchboard-recordings", "calls-transcripts", "switchboard-documents"],
    ]);
  });

  it("sets variables and routes of an environment", async () => {
    const { target } = await deployedWith(
      `[env.staging]
      routes = [{ pattern = "staging.example.com", custom_domain = true }]
      [env.staging.vars]
      LLM_MODEL = "gpt-5-mini"`,
      "staging",
    );
    expect([target.vars.LLM_MODEL, target.domains]).toEqual(["gpt-5-mini", ["staging.example.com"]]);
  });

  it.each([
    ['main = "other.ts"', /deployment\.toml sets main, but may only set name, account_id/],
    ['[env.staging]\nname = "x"', /sets env\.staging\.name/],
    ['[vars]\nLLM_MODLE = "x"', /sets LLM_MODLE under \[vars\].*spelling, or set it as a secret/],
    ['[env.staging.vars]\nOPENAI_API_KEY = "x"', /sets OPENAI_API_KEY under \[vars\].*spelling, or set it as a secret/],
    ["routes = [", /deployment\.toml cannot be read: /],
  ])("deployment.toml is refused with a sentence if it has %j", async (toml, sentence) => {
    await expect(deployedWith(toml)).rejects.toThrow(sentence);
  });
});

describe("following the guide to deploying", () => {
  it("leaves git's status clean, because git ignores the operator's files", async () => {
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
    git("init", "--quiet");
    await writeFile(join(folder, ".gitignore"), await readFile(join(ROOT, ".gitignore"), "utf8"));
    for (const file of [".secrets/production.env", "deployment.toml", ".dev.vars", "dist/deploy/production.json"]) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), "x");
    }
    git("add", ".gitignore");
    expect(git("status", "--porcelain", "--untracked-files=all")).toBe("A  .gitignore\n");
  });

  it("never requires an operator to edit wrangler.toml", async () => {
    const pages = (await readdir(join(ROOT, "docs"), { recursive: true })).filter(
      (name) => name.endsWith(".md") && !name.startsWith("decisions"),
    );
    const told = /(put|set|name|uncomment|edit|change|add|write|under)\b[^.|]*\bin(to)? `wrangler\.toml`/i;
    for (const page of ["../README.md", ...pages]) {
      const sentences = (await readFile(join(ROOT, "docs", page), "utf8")).replaceAll(/\s+/g, " ").split(/(?<=[.:]) /);
      expect(
        sentences.filter((sentence) => told.test(sentence)),
        page,
      ).toEqual([]);
    }
  });
});
