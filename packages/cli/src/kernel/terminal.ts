/** A command's input and output, which tests can replace. */
import { stripVTControlCharacters, styleText } from "node:util";
import type { Json } from "./json.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan" | "blue";

export interface Terminal {
  /** Whether results are printed as JSON: one document, or one line per item of a stream. */
  json: boolean;
  /** Whether the output is a terminal, which allows progress bars and questions. */
  interactive: boolean;
  /** Width in characters. */
  columns: number;
  /** Prints a result's line on standard output. */
  print(line: string): void;
  /** Prints a result as JSON if requested: a whole document (indented), or one line of a stream. */
  document(value: Json): void;
  line(value: Json): void;
  /** Prints a note for people on standard error. */
  note(line: string): void;
  /** Overwrites the previous line on standard error; does nothing without a terminal. */
  progress(line: string): void;
  style(style: Style, text: string): string;
}

interface Stream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Uses color only on a terminal and without NO_COLOR (https://no-color.org). */
export function openTerminal(
  json: boolean,
  streams: { stdout: Stream; stderr: Stream },
  env: Record<string, string | undefined>,
): Terminal {
  const { stdout, stderr } = streams;
  const colored = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb" && !json;
  const interactive = stderr.isTTY === true && !json;
  let shown = false;
  const clear = () => {
    if (shown) stderr.write("\r\x1b[K");
    shown = false;
  };
  return {
    json,
    interactive,
    columns: stderr.columns ?? 80,
    print: (line) => {
      clear();
      if (!json) stdout.write(`${line}\n`);
    },
    document: (value) => {
      if (json) stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    line: (value) => {
      if (json) stdout.write(`${JSON.stringify(value)}\n`);
    },
    note: (line) => {
      clear();
      stderr.write(`${line}\n`);
    },
    progress: (line) => {
      if (!interactive) return;
      stderr.write(`\r\x1b[K${line}`);
      shown = true;
    },
    style: (style, text) => (colored ? styleText(style, text, { validateStream: false }) : text),
  };
}

/** Removes control characters from callers' text, which could otherwise control the terminal. */
export const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
  stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");

/** Formats rows with every column as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(plain));
  const widths = shown.reduce<number[]>((all, row) => row.map((cell, i) => Math.max(cell.length, all[i] ?? 0)), []);
  return shown.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
