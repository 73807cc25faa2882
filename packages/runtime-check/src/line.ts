import { setTimeout as sleep } from "node:timers/promises";

/** Whose call or visit a line is, and what its handshake brings besides. */
export interface Party {
  token: string;
  call_id: string;
  /** The address it connects to, if not the one under check. */
  url?: string;
  headers?: Record<string, string>;
  /** Whether the carrier speaks the greeting itself, by its instructions. */
  greeted?: boolean;
}

/** Where a line connects to, and how long that may take. */
export interface Destination {
  url: string;
  timeoutMs: number;
}

/** One call or visit, from the side that Switchboard's customers never see: the carrier's, or the widget's. */
export interface Line {
  /** Whether the runtime took the connection. */
  readonly opened: Promise<boolean>;
  /** The code the socket closed with, null while it is open. */
  readonly closedWith: number | null;
  /** When (ms) the runtime last spoke; 0 for never. */
  readonly spokeAt: number;
  /** Whether the runtime is still speaking. */
  readonly speaking: boolean;
  /** How often the runtime had the carrier forget what it had not played. */
  readonly clears: number;
  /** Frames of the runtime's that mean nothing here. */
  readonly unknown: readonly string[];
  /** Tells whose session it is, as soon as it is connected. */
  begin(): void;
  /** The caller speaks. Resolves when they have finished. */
  say(): Promise<void>;
  /** Sends a frame of an unknown kind. */
  sendOddity(): void;
  /** The call is over. */
  leave(): void;
  /** Breaks the connection, whatever the runtime does. */
  drop(): void;
}

/** A socket, with what its handshake brings: Node's takes that, the browser's in the type does not. */
export function connect(url: string, headers: Record<string, string> = {}): WebSocket {
  const Socket = WebSocket as unknown as new (url: string, init: { headers: typeof headers }) => WebSocket;
  const socket = new Socket(url, { headers });
  socket.binaryType = "arraybuffer";
  return socket;
}

/** Whether it opens within this time. */
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

/** The close code of a failed connection in browsers; Node reports only the error of one that never opened. */
const NEVER_OPENED = 1006;

/** Calls `tell` once, with the code that the socket closed with. */
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
 * Waits until the condition holds, up to a limit; returns whether it does. Counts looks instead of reading the clock,
 * so that the runtime is not blamed while a busy machine runs nothing.
 */
export async function until(isSo: () => boolean, timeoutMs: number): Promise<boolean> {
  for (let waitedMs = 0; !isSo(); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs >= timeoutMs) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}

/** The runtime has finished its turn after this much silence, ms. */
const PAUSE_MS = 500;

/** Whether the runtime has spoken, and has been silent since. */
export function hasFinished({ spokeAt, speaking }: Line): boolean {
  return spokeAt > 0 && !speaking && Date.now() > spokeAt + PAUSE_MS;
}
