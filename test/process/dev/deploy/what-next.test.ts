import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { targetOf } from "../../../../src/dev/deploy/target.ts";
import { whatNext } from "../../../../src/dev/deploy/what-next.ts";
import { ROOT } from "../../../../src/dev/paths.ts";

const done = {
  invited: { email: "ada@example.com", link: "https://x.example/console/reset-password#t", expires_at: "2026-11-28" },
  beside: { version: "0f0c8d5e-71a6-4b29-8e0d-f4b6a92c3113", old: "1f0c8d5e-71a6-4b29-8e0d-f4b6a92c3113" },
};

it("the commands printed after a deployment run as printed", async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  for (const environment of ["production", "staging"]) {
    const target = targetOf({ name: "switchboard" }, environment, ROOT);
    const words = whatNext(target, "https://x.example", done, ".secrets/production.env");
    const commands = words.split("\n").filter((line) => /^\s+(npm|npx|curl) /.test(line));
    expect(commands).toHaveLength(4);
    // There is nothing to fill in: no placeholder, and no variable that is not set.
    for (const command of commands) expect(command).not.toMatch(/[<>$…]|\bTOKEN\b/);
    for (const [, script = ""] of words.matchAll(/npm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(script);
  }
});
