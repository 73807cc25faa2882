import type { Line } from "./log.ts";
import type { Written } from "./runtime.ts";
import type { Session } from "./service.ts";

/** A session, and the time at which its access token expires, ms. */
export interface Held {
  session: Session;
  expiresAt: number;
}

/** The state that one page leaves to the next in the same tab. */
export interface Remains {
  held?: Held | undefined;
  lines: readonly Line[];
  /** Messages that the runtime may not have received. */
  unsent: Written[];
  draft: string;
  open: boolean;
  ended: boolean;
}

/** The most characters of a conversation that are stored; earlier lines are dropped. */
const MAX_KEPT_CHARS = 50_000;

/**
 * State in the tab's session storage, passed from one page to the next. A session is either held by a page or stored
 * here, never both: a page stores it when it is left, and the next page removes it. A duplicated tab therefore finds
 * no session in its copy of the storage, and two pages never use one refresh token.
 */
export class Memory {
  readonly #key: string;

  constructor(clientKey: string) {
    this.#key = `switchboard:${clientKey}`;
  }

  /** Stores the state for the next page. */
  leave(remains: Remains): void {
    try {
      sessionStorage.setItem(this.#key, JSON.stringify({ ...remains, lines: lastOf(remains.lines) }));
    } catch {
      // The storage is full or forbidden, so the next page starts over.
    }
  }

  clear(): void {
    this.take();
  }

  /** Returns and deletes the state, so that no other page finds it. */
  take(): Remains | undefined {
    try {
      const text = sessionStorage.getItem(this.#key);
      sessionStorage.removeItem(this.#key);
      return text === null ? undefined : readRemains(JSON.parse(text));
    } catch {
      return undefined;
    }
  }
}

/** Returns the last lines that have at most `MAX_KEPT_CHARS` together. */
function lastOf(lines: readonly Line[]): Line[] {
  const kept: Line[] = [];
  let chars = 0;
  for (const line of [...lines].reverse()) {
    chars += line.text.length;
    if (chars > MAX_KEPT_CHARS) break;
    kept.unshift(line);
  }
  return kept;
}

/** Returns the valid part of the stored state, which the page or another release may have written. */
function readRemains(found: Partial<Remains> | null): Remains | undefined {
  if (typeof found !== "object" || found === null) return undefined;
  const { held, lines, unsent, draft, open, ended } = found;
  const isHeld = typeof held?.expiresAt === "number" && typeof held.session?.visitor?.id === "string";
  return {
    ...(isHeld && { held }),
    lines: listOf(lines).filter((line): line is Line => typeof line?.text === "string" && isSide(line.from)),
    unsent: listOf(unsent).filter((one): one is Written => typeof one?.id === "string" && typeof one.text === "string"),
    draft: String(draft ?? ""),
    open: open === true,
    ended: ended === true,
  };
}

const listOf = <T>(found: readonly T[] | undefined): readonly T[] => (Array.isArray(found) ? found : []);
const isSide = (from: unknown): from is Line["from"] => from === "agent" || from === "visitor";
