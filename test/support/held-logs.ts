const LEVELS = ["debug", "log", "info", "warn", "error"] as const;
const held: (() => void)[] = [];

for (const level of LEVELS) {
  const print = console[level].bind(console);
  console[level] = (...line: unknown[]) => {
    held.push(() => print(...line));
  };
}

/**
 * Prints the held log lines. The runner waits until each logger learns that its line arrived, which never happens if
 * the logger was an object that no longer exists. Therefore all lines are held until the tests print them.
 */
export function printHeldLogs(): void {
  for (const print of held.splice(0)) print();
}
