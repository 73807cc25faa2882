import type { Line } from "./log.ts";
import type { Written } from "./runtime.ts";
import type { Session } from "./service.ts";

/** A session, and when (ms) its access token expires. */
export interface Held {
  session: Session;
  expiresAt: number;
}

/** What one page leaves to the next in the same tab. */
export interface Remains {
  held?: Held | undefined;
  lines: readonly Line[];
  /** What the runtime is not known to have received. */
  unsent: Written[];
  draft: string;
  open: boolean;
  /** The conversation is over. */
  ended: boolean;
}

/** Most characters of a conversation that are kept: its last lines. */
const MAX_KEPT_CHARS = 50_000;

/**
 * What outlives a page, in the tab's own storage. A session is either held by a page or stored here, never both: a page
 * stores it when it goes, and the next one takes it out. So a duplicated tab, storage included, finds nothing, and no
 * refresh token is ever used by two.
 */
export class Memory {
  readonly #key: string;

  constructor(clientKey: string) {
    this.#key = `switchboard:${clientKey}`;
  }

  /** Puts down what is left; a storage that is full or forbidden is no error. */
  leave(remains: Remains): void {
    try {
      sessionStorage.setItem(this.#key, JSON.stringify({ ...remains, lines: lastOf(remains.lines) }));
    } catch {
      // The next page starts over.
    }
  }

  /** Deletes what is left. */
  clear(): void {
    this.take();
  }

  /** Takes what the last page left, so that nobody else finds it. */
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

/** The last lines that are not too much together. */
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

/** The usable part of what is stored: the page can write there too, and so could another release. */
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
