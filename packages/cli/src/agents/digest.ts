import { createHash } from "node:crypto";
import type { Json } from "../kernel/json.ts";
import { canonical, type LocalAgent, render } from "./files.ts";

/** Hashes an agent's content, independent of the layout of its JSON. */
export function digest(agent: LocalAgent): string {
  const files = render(agent);
  const content = canonical(JSON.parse(files.settings) as Json) + files.prompt;
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}
