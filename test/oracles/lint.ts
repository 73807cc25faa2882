import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

/** What Spectral's recommended rules find in an OpenAPI document, errors and warnings. */
export async function spectralFindings(document: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  // The package's own rules have a type that the linter's does not know under exactOptionalPropertyTypes.
  linter.setRuleset({ extends: [[rulesets.oas as unknown as RulesetDefinition, "recommended"]] });
  const findings = await linter.run(document);
  return findings.map(({ code, path, message }) => `${code} at ${path.join(".")}: ${message}`);
}
