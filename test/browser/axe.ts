import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns axe's serious findings with their places, on the page or within the selector. */
export async function serious(page: Page, within = "html"): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async (selector) => {
    const { run, _audit } = (window as unknown as { axe: Axe }).axe;
    // A rule's own impact is that of its findings, so the other rules would find nothing serious.
    const others = _audit.rules.filter(({ impact }) => impact === "minor" || impact === "moderate");
    const rules = Object.fromEntries(others.map(({ id }) => [id, { enabled: false }]));
    const { violations } = await run(selector, { resultTypes: ["violations"], rules });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  }, within);
}
interface Axe {
  _audit: { rules: { id: string; impact: string }[] };
  run(selector: string, options: RunOptions): Promise<{ violations: Violation[] }>;
}
interface RunOptions {
  resultTypes: ["violations"];
  rules: Record<string, { enabled: boolean }>;
}
interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}
