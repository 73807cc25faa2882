const LEVELS = ["debug", "log", "info", "warn", "error"] as const;
const held: (() => void)[] = [];

for (const level of LEVELS) {
  const print = console[level].bind(console);
  console[level] = (...line: unknown[]) => {
    held.push(() => print(...line));
  };
}

/**
 * Prints what was logged since. The runner waits until each logger learns that its line has arrived, and waits forever
 * if that was an object that is gone by then: so all lines are kept for the tests to print.
 */
export function printHeldLogs(): void {
  for (const print of held.splice(0)) print();
}
