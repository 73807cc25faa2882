import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

/** Returns the errors and warnings of Spectral's recommended rules for an OpenAPI document. */
export async function spectralFindings(document: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  // The type of the package's own rules does not match the linter's under exactOptionalPropertyTypes.
  linter.setRuleset({ extends: [[rulesets.oas as unknown as RulesetDefinition, "recommended"]] });
  const findings = await linter.run(document);
  return findings
    .filter((finding) => !takesDataForSchema(finding))
    .map(({ code, path, message }) => `${code} at ${path.join(".")}: ${message}`);
}

/**
 * Checks for a false finding: within an example, Spectral takes any object with a type and an example for a schema,
 * such as a type of events.
 */
function takesDataForSchema({ code, path }: spectral.ISpectralDiagnostic): boolean {
  return code === "oas3-valid-schema-example" && path.slice(0, -1).includes("example");
}
