import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

/** What Spectral's recommended rules find in the document, errors and warnings. */
export async function spectralFindings(document: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  // The package's own rules have a type that the linter's does not know under exactOptionalPropertyTypes.
  linter.setRuleset({ extends: [[rulesets.oas as unknown as RulesetDefinition, "recommended"]] });
  const found = await linter.run(document);
  return found.map(({ code, path, message }) => `${code} at ${path.join(".")}: ${message}`);
}

interface RedoclyReport {
  problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
}

/** What Redocly's recommended rules find in it; `redocly.yaml` says which of them are off, and why. */
export async function redoclyFindings(document: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "openapi-"));
  const file = join(folder, "openapi.json");
  await writeFile(file, document);
  const { problems } = JSON.parse(await redocly("lint", file, "--format=json")) as RedoclyReport;
  await rm(folder, { recursive: true });
  return problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`);
}

/** What its command line prints. It fails where there are findings, which it prints all the same. */
function redocly(...args: string[]): Promise<string> {
  const command = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");
  const config = `--config=${join(import.meta.dirname, "redocly.yaml")}`;
  const env = Object.assign({}, process.env, { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" });
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [command, ...args, config], { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
      if (stdout === "") reject(error ?? new Error("Redocly printed nothing"));
      else resolve(stdout);
    });
  });
}
