import { readFile, writeFile } from "node:fs/promises";
import { type ESTree, parseSync, Visitor } from "vite";

/** Called by the bundle at the beginning of each function with the index of its file. */
const VISIT = "__visit";

/**
 * Rewrites a bundle in place, so that each function of `src` records in `globalThis.visits` when it is entered. Returns
 * the files by the recorded indexes. Functions of packages record nothing.
 */
export async function instrument(script: string): Promise<string[]> {
  const code = await readFile(script, "utf8");
  const files: string[] = [];
  const indexOf = new Map<string, number>();
  const modules = modulesOf(code);
  const inserted: { at: number; text: string }[] = [];
  const note = (from: number): string | null => {
    const file = modules.findLast(({ at }) => at <= from)?.file ?? "";
    if (!file.startsWith("src/")) return null;
    const index = indexOf.get(file) ?? files.push(file) - 1;
    indexOf.set(file, index);
    return `${VISIT}(${index})`;
  };
  const enter = ({ body }: ESTree.Function | ESTree.ArrowFunctionExpression) => {
    if (body === null) return;
    const visit = note(body.start);
    if (visit === null) return;
    if (body.type === "BlockStatement") inserted.push({ at: body.start + 1, text: `${visit};` });
    else inserted.push({ at: body.start, text: `(${visit},` }, { at: body.end, text: ")" });
  };
  const { program } = parseSync(script, code);
  new Visitor({ FunctionDeclaration: enter, FunctionExpression: enter, ArrowFunctionExpression: enter }).visit(program);
  inserted.sort((a, b) => a.at - b.at);
  let [text, from] = [`globalThis.visits = []; const ${VISIT} = (file) => void globalThis.visits.push(file);\n`, 0];
  for (const one of inserted) {
    text += code.slice(from, one.at) + one.text;
    from = one.at;
  }
  await writeFile(script, text + code.slice(from));
  return files;
}

/** Returns where each module of a bundle begins, according to the bundler's comments. */
function modulesOf(code: string): { at: number; file: string }[] {
  return [...code.matchAll(/^ *\/\/ (\S+\/\S+)$/gm)].map(({ index, 1: file = "" }) => ({ at: index, file }));
}
