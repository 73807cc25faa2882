const LEVELS = ["debug", "log", "info", "warn", "error"] as const;
const held: (() => void)[] = [];

for (const level of LEVELS) {
  const print = console[level].bind(console);
  console[level] = (...line: unknown[]) => {
    held.push(() => print(...line));
  };
}

/**
 * Prints what was logged since. The runner waits for whoever logs to hear that the line has arrived, and waits for ever
 * where that was an object that is gone by then: so the lines of all are kept for tests to print.
 */
export function printHeldLogs(): void {
  for (const print of held.splice(0)) print();
}
