/** Longest name that the service takes. */
const LONGEST_NAME = 63;

/** The name that a title proposes: "How can I pay?" → "how_can_i_pay"; "" if it has no letter to begin with. */
export function slugOf(title: string): string {
  return title
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ß", "ss")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+/, "")
    .slice(0, LONGEST_NAME)
    .replace(/_+$/, "");
}

/** The name after the title changed: it follows the title until somebody writes another. */
export function nameAfter(title: string, before: { name: string; title: string }): string {
  return before.name === "" || before.name === slugOf(before.title) ? slugOf(title) : before.name;
}
