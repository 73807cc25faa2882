const ENTRY = /^- /m;
const BREAKING = /^\*\*Breaking:\*\*/;

/**
 * Returns the operations and components that the change log announces as breaking: the names in `backticks` in entries
 * under Changed or Removed of the newest heading that begin with “**Breaking:**”.
 */
export function announcedBreaks(changeLog: string): Set<string> {
  const newest = changeLog.split(/^## /m)[1] ?? "";
  const parts = newest.split(/^### /m).filter((part) => /^(Changed|Removed)\s/.test(part));
  const entries = parts.flatMap((part) => part.split(ENTRY).slice(1)).filter((entry) => BREAKING.test(entry));
  return new Set(entries.flatMap((entry) => [...entry.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)));
}
