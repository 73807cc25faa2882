/** Maximum length of a name that the service accepts. */
const LONGEST_NAME = 63;

/** Returns the name proposed for a title: "How can I pay?" → "how_can_i_pay"; "" if no letter can begin it. */
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

/** Returns the name after the title changed. It follows the title until the user edits it. */
export function nameAfter(title: string, before: { name: string; title: string }): string {
  return before.name === "" || before.name === slugOf(before.title) ? slugOf(title) : before.name;
}
