import { session } from "../session/session.ts";
import type { Command } from "./commands.ts";

export interface Recent {
  id: string;
  title: string;
  kind: string;
  href: string;
}

const MAX_KEPT = 5;
/** Each account has its own key. */
const key = () => `switchboard-recent-${session()?.account}`;

/** Returns the recently chosen destinations, newest first. */
export function recentCommands(): Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key()) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isRecent) : [];
  } catch {
    return [];
  }
}

/** Stores a chosen destination. Actions aren't stored. */
export function remember({ id, title, kind, href }: Command): void {
  if (href === undefined) return;
  const others = recentCommands().filter((each) => each.id !== id);
  localStorage.setItem(key(), JSON.stringify([{ id, title, kind, href }, ...others].slice(0, MAX_KEPT)));
}

function isRecent(value: unknown): value is Recent {
  if (typeof value !== "object" || value === null) return false;
  return ["id", "title", "kind", "href"].every((name) => typeof Reflect.get(value, name) === "string");
}
