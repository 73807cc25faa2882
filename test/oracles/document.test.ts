import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { spectralFindings } from "./lint.ts";

/** Prints the document that the console's types are generated from. */
const PRINT_DOCUMENT = `
  const { openApiDocument } = await import(process.argv[1]);
  console.log(JSON.stringify(await openApiDocument()));
`;
let document: string;

beforeAll(async () => {
  const module = join(import.meta.dirname, "../../src/dev/api-types/document.ts");
  const options = ["--input-type=module", "--eval", PRINT_DOCUMENT, module];
  const { stdout } = await promisify(execFile)(process.execPath, options, { maxBuffer: 16 * 1024 * 1024 });
  document = stdout;
});

describe("/openapi.json", () => {
  it("violates none of Spectral's recommended rules", async () => {
    expect(await spectralFindings(document)).toEqual([]);
    const broken = JSON.stringify({ openapi: "3.1.0", info: { title: "Broken" }, paths: {} });
    expect(await spectralFindings(broken)).not.toEqual([]);
  });
});
