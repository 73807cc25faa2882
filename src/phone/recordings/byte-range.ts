/** The range of bytes requested by a Range header (RFC 9110, 14): null for the whole file, "unsatisfiable" for none. */
export function byteRange(
  header: string | null,
  size: number,
): { offset: number; length: number } | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  // For several ranges, other units or nonsense a server may send the whole file.
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { offset: size - length, length };
  }
  const offset = Number(first);
  const end = last === "" ? size - 1 : Number(last);
  if (end < offset && last !== "") return null;
  if (offset >= size) return "unsatisfiable";
  return { offset, length: Math.min(end, size - 1) - offset + 1 };
}
