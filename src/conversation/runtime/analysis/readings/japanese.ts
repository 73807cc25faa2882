import type { Mention } from "./tokens.ts";

const DIGITS = "〇一二三四五六七八九";
const UNITS: Record<string, number> = { 十: 10, 百: 100, 千: 1_000 };
const SCALES: Record<string, number> = { 万: 1e4, 億: 1e8 };
/** Counters. A single numeral that is not before one of these is part of a word. */
const COUNTED = "人名円個時分秒年月日つ回番枚歳台本杯階件週通泊万億";

const NUMERALS = /[〇零一二三四五六七八九十百千万億]{1,30}/gu;

/** Returns the numbers in Japanese numerals: 二十四, 千二百. */
export function japaneseNumbers(plain: string): Mention<number>[] {
  return Array.from(plain.matchAll(NUMERALS), ({ 0: numerals, index }) => {
    const value = japaneseNumber(numerals);
    const to = index + numerals.length;
    const isSure = numerals.length > 1 || COUNTED.includes(plain[to] ?? " ");
    return { values: value === null ? [] : [value], isSure, from: index, to };
  }).filter(({ values }) => values.length > 0);
}

/** Reads numerals as a number, by units or digit by digit; null if they are none. */
export function japaneseNumber(numerals: string): number | null {
  const text = numerals.replaceAll("零", "〇");
  if (/^\d+$/.test(text)) return Number(text);
  const digits = [...text].map((one) => DIGITS.indexOf(one));
  if (!digits.includes(-1)) return Number(digits.join(""));
  let [total, group, digit] = [0, 0, 0];
  for (const one of text) {
    const unit = UNITS[one];
    const scale = SCALES[one];
    if (unit !== undefined) group += (digit || 1) * unit;
    else if (scale !== undefined) {
      if (group + digit === 0) return null;
      total += (group + digit) * scale;
      group = 0;
    } else if (digit !== 0) return null;
    digit = unit === undefined && scale === undefined ? DIGITS.indexOf(one) : 0;
  }
  return total + group + digit;
}
