import { setTimeout as sleep } from "node:timers/promises";

/** The party of a call or visit, and the contents of its handshake. */
export interface Party {
  token: string;
  call_id: string;
  /** The address it connects to; the address under check if omitted. */
  url?: string;
  headers?: Record<string, string>;
  /** Whether the carrier itself speaks the greeting, by its instructions. */
  greeted?: boolean;
}

export interface Destination {
  url: string;
  timeoutMs: number;
}

/** One call or visit from the side of the carrier or widget. */
export interface Line {
  /** Whether the runtime accepted the connection. */
  readonly opened: Promise<boolean>;
  /** The socket's close code; null while it is open. */
  readonly closedWith: number | null;
  /** When (ms) the runtime last spoke; 0 for never. */
  readonly spokeAt: number;
  readonly speaking: boolean;
  /** How often the runtime discarded audio that was not played yet. */
  readonly clears: number;
  /** The runtime's frames that are not part of this protocol. */
  readonly unknown: readonly string[];
  /** Presents the session's token after connecting. */
  begin(): void;
  /** Makes the caller speak. Resolves when they have finished. */
  say(): Promise<void>;
  /** Sends a frame of an unknown kind. */
  sendOddity(): void;
  /** Ends the call. */
  leave(): void;
  /** Breaks the connection without a close frame. */
  drop(): void;
}

/** Opens a socket with these headers. Node accepts them, but the browser's type does not have them. */
export function connect(url: string, headers: Record<string, string> = {}): WebSocket {
  const Socket = WebSocket as unknown as new (url: string, init: { headers: typeof headers }) => WebSocket;
  const socket = new Socket(url, { headers });
  socket.binaryType = "arraybuffer";
  return socket;
}

/** Resolves to whether the socket opens within this time. */
export function opening(socket: WebSocket, timeoutMs: number): Promise<boolean> {
  let isDecided = false;
  const opened = new Promise<boolean>((resolve) => {
    const decide = (isOpen: boolean) => {
      isDecided = true;
      resolve(isOpen);
    };
    socket.addEventListener("open", () => decide(true));
    closing(socket, () => decide(false));
  });
  return Promise.race([opened, until(() => isDecided, timeoutMs).then(() => socket.readyState === WebSocket.OPEN)]);
}

/** The close code of a failed connection in browsers. Node only reports an error if the socket never opened. */
const NEVER_OPENED = 1006;

/** Calls `tell` once with the socket's close code. */
export function closing(socket: WebSocket, tell: (code: number) => void): void {
  let isOver = false;
  let hasOpened = false;
  const over = (code: number) => {
    if (!isOver) tell(code);
    isOver = true;
  };
  socket.addEventListener("open", () => {
    hasOpened = true;
  });
  socket.addEventListener("close", ({ code }) => over(code));
  socket.addEventListener("error", () => {
    if (!hasOpened) over(NEVER_OPENED);
  });
}

const LOOK_EVERY_MS = 20;

/**
 * Waits until the condition holds, up to a limit, and returns whether it does. It counts attempts instead of reading
 * the clock, so that a slow machine does not make the runtime fail.
 */
export async function until(isSo: () => boolean, timeoutMs: number): Promise<boolean> {
  for (let waitedMs = 0; !isSo(); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs >= timeoutMs) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}

/** Silence after which a turn counts as finished, ms. */
const PAUSE_MS = 500;

/** Checks whether the runtime has spoken and been silent since. */
export function hasFinished({ spokeAt, speaking }: Line): boolean {
  return spokeAt > 0 && !speaking && Date.now() > spokeAt + PAUSE_MS;
}
