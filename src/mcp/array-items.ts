/** Matches the characters that begin and end strings, objects and arrays in JSON. */
const STRUCTURE = /["{}[\]]/g;
const IN_STRING = /["\\]/g;

/**
 * Parses the objects of a JSON array, or of the only array in an object, one after the other, so that a long list never
 * has to be in memory as a whole.
 */
export async function* arrayItems(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let [item, rest] = ["", ""];
  /** How many objects and arrays are open, and how many contain the items. */
  let [depth, level] = [0, 0];
  let isInString = false;
  for await (const bytes of body) {
    const text = rest + decoder.decode(bytes, { stream: true });
    let [begin, at] = [0, 0];
    for (;;) {
      const pattern = isInString ? IN_STRING : STRUCTURE;
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      const [mark] = found ?? [];
      if (!found || (mark === "\\" && found.index + 1 === text.length)) {
        // An escape whose second character has not arrived yet is read again.
        at = found?.index ?? text.length;
        break;
      }
      at = found.index + (mark === "\\" ? 2 : 1);
      if (mark === '"') isInString = !isInString;
      if (isInString || mark === '"') continue;
      if (mark === "{" || mark === "[") {
        if (depth === 0) level = mark === "[" ? 1 : 2;
        if (depth === level) begin = found.index;
        depth += 1;
        continue;
      }
      depth -= 1;
      if (depth !== level) continue;
      yield JSON.parse(item + text.slice(begin, at));
      item = "";
    }
    if (depth > level) item += text.slice(begin, at);
    rest = text.slice(at);
  }
}
