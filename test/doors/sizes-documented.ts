import { ELSEWHERE } from "./sizes-elsewhere.ts";
import { SIZES, type Size } from "./sizes-table.ts";

/** Returns the table in the form of docs/limits.md. */
export function documented(): string[] {
  const row = (...cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
  const cost = ({ trips, built = 0 }: Size) =>
    [
      trips === 1 ? "1 round trip" : `${trips} round trips`,
      ...(built > 0 ? [`${built.toLocaleString("en")} characters`] : []),
    ].join(", ");
  return [
    row("what a caller chooses", "bound", "answer beyond it", "cost at the bound"),
    row("---", "---", "---", "---"),
    ...SIZES.map((size) => row(size.name, size.bound.toLocaleString("en"), `\`${size.over}\``, cost(size))),
    ...ELSEWHERE.map(({ name, bound, over, cost }) => row(name, bound.toLocaleString("en"), `\`${over}\``, cost)),
  ];
}
