/** Shares of a limit as a person writes them: "50, 80%"; what is no number the service refuses. */
export function sharesOf(text: string): number[] {
  const parts = text.split(",").map((part) => part.trim().replace(/%$/, ""));
  return parts.filter((part) => part !== "").map((part) => Number(part) / 100);
}

/** The same the other way round. */
export const percentsOf = (shares: number[]): string =>
  shares.map((share) => Math.round(share * 1_000) / 10).join(", ");
