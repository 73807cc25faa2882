/** Matches the characters that begin and end strings, objects and arrays in JSON. */
const STRUCTURE = /["{}[\]]/g;
const IN_STRING = /["\\]/g;

/**
 * Parses the objects of a JSON array one after the other, so that a long list never has to be in memory as a whole.
 */
export async function* arrayItems(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let [text, at, depth, begin] = ["", 0, 0, 0];
  let isInString = false;
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    for (;;) {
      const pattern = isInString ? IN_STRING : STRUCTURE;
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      // An escape whose second character has not arrived yet is read again.
      if (!found || (found[0] === "\\" && found.index + 1 === text.length)) {
        at = found?.index ?? text.length;
        break;
      }
      at = found.index + (found[0] === "\\" ? 2 : 1);
      if (found[0] === '"') isInString = !isInString;
      else if (!isInString && (found[0] === "{" || found[0] === "[")) {
        if (depth === 1) begin = found.index;
        depth += 1;
      } else if (!isInString) {
        depth -= 1;
        if (depth !== 1) continue;
        yield JSON.parse(text.slice(begin, at));
        text = text.slice(at);
        [at, begin] = [0, 0];
      }
    }
  }
}
