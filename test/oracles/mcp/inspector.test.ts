import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { startedService } from "./service.ts";

const INSPECTOR = join(import.meta.dirname, "../node_modules/.bin/mcp-inspector");
const service = startedService();

describe("the protocol's inspector, as a client", () => {
  for (const era of ["legacy", "modern"])
    it(`the inspector of the ${era} era finds no error in the tools, uses one and reads a guide`, async () => {
      const inspect = (...args: string[]) => inspector("--protocol-era", era, ...args);
      const { stdout, stderr } = await inspect("--method", "tools/list", "--strict");
      const { tools } = JSON.parse(stdout) as { tools: object[] };
      expect(tools.length).toBeGreaterThan(15);
      expect(stderr).toMatch(/^0 errors/m);
      const used = await inspect("--method", "tools/call", "--tool-name", "find_agents");
      expect(JSON.parse(used.stdout)).toMatchObject({ structuredContent: { agents: [{ name: "Reception" }] } });
      const uri = "switchboard://guides/guides/assistant";
      const read = await inspect("--method", "resources/read", "--uri", uri);
      expect(JSON.parse(read.stdout)).toMatchObject({ contents: [{ uri, mimeType: "text/markdown" }] });
    });
});

function inspector(...args: string[]) {
  const target = [`${service.origin}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${service.key}`];
  return promisify(execFile)(process.execPath, [INSPECTOR, "--cli", ...target, ...args], {
    maxBuffer: 8 * 1024 * 1024,
  });
}
