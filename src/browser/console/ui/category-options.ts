import { formatName, formatNumber } from "../texts/format.ts";
import { common } from "../texts/index.ts";
import type { Option } from "./field.tsx";

/** Returns the options of a category filter: all, then each category with its count. */
export function categoryOptions(
  counts: Iterable<readonly [category: string, count: number]>,
  nameOf: (category: string) => string = formatName,
): Option[] {
  let all = 0;
  const options: Option[] = [];
  for (const [value, count] of counts) {
    all += count;
    options.push({ value, label: common.nameCounted(nameOf(value), formatNumber(count)) });
  }
  options.sort((a, b) => a.label.localeCompare(b.label));
  return [{ value: "", label: common.allCounted(formatNumber(all)) }, ...options];
}
