import { SECOND_MS } from "../../../kernel/time.ts";

/** This crawler's name in robots.txt. */
const OUR_NAME = "switchboard";
/** Limits on the rules and characters of a robots.txt. Everything beyond them is ignored. */
const MAX_RULES = 1_000;
export const MAX_ROBOTS_CHARS = 100_000;
/** The longest delay between two pages that a site can request, ms. */
const MAX_DELAY_MS = 10 * SECOND_MS;

/** The rules of a site's robots.txt for this crawler (RFC 9309). */
export interface Robots {
  /** Checks whether an address may be fetched. */
  allows(url: URL): boolean;
  /** The delay between two pages that the site requests, ms. */
  delay_ms: number;
  sitemaps: string[];
}

interface Rule {
  path: string;
  allow: boolean;
}

interface Group {
  names: string[];
  rules: Rule[];
  delay_ms: number;
}

/** Parses a robots.txt; an empty one allows everything. */
export function readRobots(text: string): Robots {
  const { groups, sitemaps } = parse(text.slice(0, MAX_ROBOTS_CHARS));
  const named = groups.filter(({ names }) => names.includes(OUR_NAME));
  const ours = named.length > 0 ? named : groups.filter(({ names }) => names.includes("*"));
  const rules = ours.flatMap((group) => group.rules).slice(0, MAX_RULES);
  return {
    allows: ({ pathname, search }) => isAllowed(rules, pathname + search),
    delay_ms: Math.min(MAX_DELAY_MS, Math.max(0, ...ours.map(({ delay_ms }) => delay_ms))),
    sitemaps,
  };
}

function parse(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let group: Group | null = null;
  let isNaming = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const [, field = "", value = ""] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const [name, told] = [field.toLowerCase(), value.trim()];
    if (name === "sitemap" && told !== "") sitemaps.push(told);
    if (name === "user-agent") {
      if (group === null || !isNaming) {
        group = { names: [], rules: [], delay_ms: 0 };
        groups.push(group);
      }
      // A version after the name, as in "Switchboard/1.0", is ignored.
      group.names.push(told.toLowerCase().split("/")[0] ?? "");
    }
    isNaming = name === "user-agent" || (isNaming && name === "");
    if (group === null) continue;
    if ((name === "allow" || name === "disallow") && told !== "")
      group.rules.push({ path: told, allow: name === "allow" });
    if (name === "crawl-delay") group.delay_ms = Math.max(0, Number(told) || 0) * SECOND_MS;
  }
  return { groups, sitemaps };
}

/**
 * Checks whether the rules allow a path. The longest matching rule decides; if several are equally long, one that
 * allows wins.
 */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  let best: Rule | null = null;
  for (const rule of rules) {
    const isBetter = best === null || rule.path.length > best.path.length;
    const isMilder = best !== null && rule.path.length === best.path.length && rule.allow;
    if ((isBetter || isMilder) && matches(rule.path, path)) best = rule;
  }
  return best === null || best.allow;
}

/** Matches a rule's path without backtracking. `*` is any text, and a final `$` the end. */
function matches(rule: string, path: string): boolean {
  const isWhole = rule.endsWith("$");
  const parts = (isWhole ? rule.slice(0, -1) : rule).split("*");
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (index === 0) {
      if (!path.startsWith(part)) return false;
      at = part.length;
    } else if (isWhole && index === parts.length - 1) {
      return path.length - part.length >= at && path.endsWith(part);
    } else {
      const found = path.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
  }
  return !isWhole || at === path.length;
}
