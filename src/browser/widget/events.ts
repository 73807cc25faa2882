import type { PublicSession } from "./session.ts";

/** The events that a page can listen to, with their payloads. */
export interface WidgetEvents {
  /** A session began or was renewed; `access_token` authenticates at the media runtime. */
  session: PublicSession;
  /** Something is unavailable; `code` is stable, `message` is for developers. */
  error: { code: string; message: string };
  open: undefined;
  close: undefined;
  /** A line of the conversation. */
  message: { from: "agent" | "visitor"; text: string };
}

type Name = keyof WidgetEvents;
type Listener<N extends Name> = (detail: WidgetEvents[N]) => void;

/** Listeners by event. An error that one throws is reported and does not stop the others. */
export class Events {
  readonly #listeners = new Map<Name, Set<Listener<never>>>();

  on<N extends Name>(name: N, listener: Listener<N>): void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener as Listener<never>));
  }

  off<N extends Name>(name: N, listener: Listener<N>): void {
    this.#listeners.get(name)?.delete(listener as Listener<never>);
  }

  emit<N extends Name>(name: N, detail: WidgetEvents[N]): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        (listener as Listener<N>)(detail);
      } catch (error) {
        reportError(error);
      }
    }
  }
}
