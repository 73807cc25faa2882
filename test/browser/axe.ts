import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns axe's serious findings with their places, on the page or within the selector. */
export async function serious(page: Page, within = "html"): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async (selector) => {
    const { run } = (window as unknown as { axe: Axe }).axe;
    const { violations } = await run(selector, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  }, within);
}
interface Axe {
  run(selector: string, options: { resultTypes: ["violations"] }): Promise<{ violations: Violation[] }>;
}
interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}
