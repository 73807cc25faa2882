/** Returns the first `most` bytes of a sitemap as text. The sitemap may be compressed. */
export async function sitemapText(bytes: Uint8Array, most: number): Promise<string> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return new TextDecoder().decode(bytes);
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  try {
    for await (const part of new Blob([bytes.slice()]).stream().pipeThrough(new DecompressionStream("gzip"))) {
      size += part.length;
      if (size > most) break;
      text += decoder.decode(part, { stream: true });
    }
  } catch {
    // The text before the damaged part is still used.
  }
  return text;
}
