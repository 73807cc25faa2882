import type { Body } from "../../api/client.ts";

/**
 * Returns the labels of the changed parameters that would send stored secrets to another host than the one they were
 * entered for.
 */
export function movedParams(
  { asks_for, params: stored }: Pick<Body<"Integration">, "asks_for" | "params">,
  entered: Record<string, string>,
): string[] {
  return asks_for.params.flatMap(({ name, label, decides_host }) => {
    const was = String(stored[name] ?? "");
    return decides_host && was !== "" && hostOf(was) !== hostOf(entered[name] ?? "") ? [label] : [];
  });
}

/** Returns the part of a value that decides the host: an address's scheme, host and port. */
function hostOf(value: string): string {
  const text = value.trim();
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).origin : text.toLowerCase();
}
