import { PROTOCOLS, type ProtocolName } from "./protocols/index.ts";
import { CLOSE, FIRST_FRAME_MS, type Outgoing } from "./protocols/protocol.ts";

/** By which address the object is asked for a socket: of a client whose carrier has signed the handshake, or of any. */
export const SIGNED = "https://conversation/runtime/signed";
export const UNSIGNED = "https://conversation/runtime";

/** What is remembered with a socket, so that it outlives the object's memory. */
interface Attachment {
  /** Null until its first frame. */
  protocol: ProtocolName | null;
  /** Whether its carrier has signed the handshake. */
  signed: boolean;
}

/** The sockets of a conversation's clients, of which one at a time is talked to: the newest that has shown its token. */
export class ClientSockets {
  readonly #state: Pick<DurableObjectState, "acceptWebSocket" | "getWebSockets">;
  /** Clients that have not said anything yet, and what lets them go. */
  readonly #silent = new Map<WebSocket, ReturnType<typeof setTimeout>>();

  /** Who is talked to, as far as this life of the object knows: every word goes there. */
  #chosen: { socket: WebSocket; protocol: ProtocolName } | null = null;

  constructor(state: Pick<DurableObjectState, "acceptWebSocket" | "getWebSockets">) {
    this.#state = state;
  }

  /** Takes a client in, who has a while to say something. */
  accept(signed: boolean): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.#state.acceptWebSocket(server);
    server.serializeAttachment({ protocol: null, signed } satisfies Attachment);
    const timer = setTimeout(() => {
      this.#silent.delete(server);
      shut(server, CLOSE.timeout, "nothing was said in time");
    }, FIRST_FRAME_MS);
    this.#silent.set(server, timer);
    return new Response(null, { status: 101, webSocket: client });
  }

  /** The client has said something, or has left. */
  heard(socket: WebSocket): void {
    clearTimeout(this.#silent.get(socket));
    this.#silent.delete(socket);
  }

  /** The client is talked to by this protocol from now on, and nobody else is. */
  choose(socket: WebSocket, protocol: ProtocolName): void {
    for (const other of this.#state.getWebSockets()) {
      if (other !== socket) shut(other, CLOSE.replaced, "the session was opened again");
    }
    socket.serializeAttachment({ protocol, signed: this.isSigned(socket) } satisfies Attachment);
    this.#chosen = { socket, protocol };
  }

  /** By which protocol the client is talked to; null for one that has not shown whose session it is for. */
  protocolOf(socket: WebSocket): ProtocolName | null {
    return (socket.deserializeAttachment() as Attachment | null)?.protocol ?? null;
  }

  /** Whether the client's carrier has signed the handshake. */
  isSigned(socket: WebSocket): boolean {
    return (socket.deserializeAttachment() as Attachment | null)?.signed === true;
  }

  /** Who is talked to, null for nobody. */
  get current(): WebSocket | null {
    return this.#talkedTo()?.socket ?? null;
  }

  #talkedTo(): { socket: WebSocket; protocol: ProtocolName } | null {
    if (this.#chosen?.socket.readyState === WebSocket.OPEN) return this.#chosen;
    // An object that was built anew finds its sockets where they were.
    const open = this.#state.getWebSockets().flatMap((socket) => {
      const protocol = this.protocolOf(socket);
      return socket.readyState === WebSocket.OPEN && protocol !== null ? [{ socket, protocol }] : [];
    });
    this.#chosen = open.at(-1) ?? null;
    return this.#chosen;
  }

  /** Tells who is talked to, in the client's own frames. */
  send(outgoing: Outgoing): void {
    const to = this.#talkedTo();
    const frame = to && PROTOCOLS[to.protocol].write(outgoing);
    if (!frame) return;
    try {
      to.socket.send(JSON.stringify(frame));
    } catch {
      // It is about to be reported as closed.
    }
  }

  closeAll(reason: string): void {
    for (const socket of this.#state.getWebSockets()) shut(socket, CLOSE.done, reason);
  }
}

/** Closes a socket; reasons are cut to what a frame holds (RFC 6455, 5.5). */
export function shut(socket: WebSocket, code: number, reason: string): void {
  try {
    socket.close(code, reason.slice(0, 120));
  } catch {
    // It is closed, which is what was wanted.
  }
}
