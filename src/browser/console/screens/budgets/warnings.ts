/** Parses percentages such as "50, 80%". Anything else becomes NaN, which the service refuses. */
export function sharesOf(text: string): number[] {
  const parts = text.split(",").map((part) => part.trim().replace(/%$/, ""));
  return parts.filter((part) => part !== "").map((part) => Number(part) / 100);
}

export const percentsOf = (shares: number[]): string =>
  shares.map((share) => Math.round(share * 1_000) / 10).join(", ");
