import { PROTOCOLS, type ProtocolName } from "./protocols/index.ts";
import { CLOSE, FIRST_FRAME_MS, type Outgoing } from "./protocols/protocol.ts";

/**
 * The address at which a socket is requested: SIGNED if the carrier signed the handshake, so that it cannot be forged.
 */
export const SIGNED = "https://conversation/runtime/signed";
export const UNSIGNED = "https://conversation/runtime";
/** The header that gives the object the client's address. */
export const CLIENT_ADDRESS = "x-client-address";

/** What a client's handshake shows. */
export interface Client {
  /** Whether the client is a carrier that has signed the handshake. */
  signed: boolean;
  /** The client's address, by which limits count it; null if it is not counted. */
  address: string | null;
}

/** State kept with the socket, because the object may hibernate. */
interface Attachment extends Client {
  /** Null until its first frame. */
  protocol: ProtocolName | null;
}

/** The sockets of a conversation's clients. Only one is active: the newest that has presented its token. */
export class ClientSockets {
  readonly #state: Pick<DurableObjectState, "acceptWebSocket" | "getWebSockets">;
  /** Clients that have not sent a frame yet, with the timers that disconnect them. */
  readonly #silent = new Map<WebSocket, ReturnType<typeof setTimeout>>();

  /** The active client, if this instance of the object has chosen one. */
  #chosen: { socket: WebSocket; protocol: ProtocolName } | null = null;

  constructor(state: Pick<DurableObjectState, "acceptWebSocket" | "getWebSockets">) {
    this.#state = state;
  }

  /** Accepts a client, which must send its first frame within FIRST_FRAME_MS. */
  accept(signed: boolean, address: string | null): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.#state.acceptWebSocket(server);
    server.serializeAttachment({ protocol: null, signed, address } satisfies Attachment);
    const timer = setTimeout(() => {
      this.#silent.delete(server);
      shut(server, CLOSE.timeout, "no frame arrived in time");
    }, FIRST_FRAME_MS);
    this.#silent.set(server, timer);
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Stops the timer of a client that has sent a frame or left. */
  endSilence(socket: WebSocket): void {
    clearTimeout(this.#silent.get(socket));
    this.#silent.delete(socket);
  }

  /** Makes the client the active one, using this protocol, and disconnects all others. */
  choose(socket: WebSocket, protocol: ProtocolName): void {
    for (const other of this.#state.getWebSockets()) {
      if (other !== socket) shut(other, CLOSE.replaced, "the session was opened again");
    }
    const { signed, address } = this.clientOf(socket);
    socket.serializeAttachment({ protocol, signed, address } satisfies Attachment);
    this.#chosen = { socket, protocol };
  }

  /** Returns the protocol of the client; null until it has presented its token. */
  protocolOf(socket: WebSocket): ProtocolName | null {
    return (socket.deserializeAttachment() as Attachment | null)?.protocol ?? null;
  }

  clientOf(socket: WebSocket): Client {
    const { signed = false, address = null } = (socket.deserializeAttachment() ?? {}) as Partial<Attachment>;
    return { signed, address };
  }

  get current(): WebSocket | null {
    return this.#talkedTo()?.socket ?? null;
  }

  get currentProtocol(): ProtocolName | null {
    return this.#talkedTo()?.protocol ?? null;
  }

  #talkedTo(): { socket: WebSocket; protocol: ProtocolName } | null {
    if (this.#chosen?.socket.readyState === WebSocket.OPEN) return this.#chosen;
    // After hibernation the object finds its sockets again.
    const open = this.#state.getWebSockets().flatMap((socket) => {
      const protocol = this.protocolOf(socket);
      return socket.readyState === WebSocket.OPEN && protocol !== null ? [{ socket, protocol }] : [];
    });
    this.#chosen = open.at(-1) ?? null;
    return this.#chosen;
  }

  /** Sends to the connected client, in its protocol's frames. */
  send(outgoing: Outgoing): void {
    const to = this.#talkedTo();
    const frame = to && PROTOCOLS[to.protocol].write(outgoing);
    if (!frame) return;
    try {
      to.socket.send(JSON.stringify(frame));
    } catch {
      // The socket's close event follows.
    }
  }

  closeAll(reason: string, code: number = CLOSE.done): void {
    for (const socket of this.#state.getWebSockets()) shut(socket, code, reason);
  }
}

/** Closes a socket. The reason is cut to what a frame can hold (RFC 6455, 5.5). */
export function shut(socket: WebSocket, code: number, reason: string): void {
  try {
    socket.close(code, reason.slice(0, 120));
  } catch {
    // The socket is already closed.
  }
}
