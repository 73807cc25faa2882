import type { Body } from "../../api/client.ts";

/** The params whose change leads secrets to another host than the one they were given for, by what the form calls them. */
export function movedParams(
  { asks_for, params: stored }: Pick<Body<"Integration">, "asks_for" | "params">,
  entered: Record<string, string>,
): string[] {
  return asks_for.params.flatMap(({ name, label, decides_host }) => {
    const was = String(stored[name] ?? "");
    return decides_host && was !== "" && hostOf(was) !== hostOf(entered[name] ?? "") ? [label] : [];
  });
}

/** The part of a value that decides the host: an address's scheme, host and port. */
function hostOf(value: string): string {
  const text = value.trim();
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).origin : text.toLowerCase();
}
