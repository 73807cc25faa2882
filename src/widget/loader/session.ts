import type { Events } from "./events.ts";
import { type Service, ServiceError, type Session } from "./service.ts";

/** What a page and a media runtime see of a session; the refresh token stays inside. */
export interface SessionView {
  access_token: string;
  /** ISO 8601. */
  expires_at: string;
  visitor: { id: string; type: "guest" | "user" };
  agent_id: string;
}

/** A session is renewed after this share of its life. */
const RENEW_AFTER = 0.8;
const RETRY_AT_MOST_MS = 30_000;

interface Held {
  session: Session;
  expiresAt: number;
}

/** Holds the visitor's session: begins it when first needed and renews it before it expires. */
export class SessionKeeper {
  readonly #service: Service;
  readonly #events: Events;
  /** Whether the widget is for people nobody knows, too. */
  takesGuests = true;
  #held: Held | undefined;
  #beginning: Promise<void> | undefined;
  #renewAt = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts changes of who the visitor is, so that an answer to a question of before is dropped. */
  #era = 0;

  constructor(service: Service, events: Events) {
    this.#service = service;
    this.#events = events;
    // Timers stand still while a page sleeps; what is overdue is made up for when it wakes.
    for (const wake of ["pageshow", "online"]) addEventListener(wake, () => this.#renewIfDue());
    document.addEventListener("visibilitychange", () => this.#renewIfDue());
  }

  /** The session as of now. */
  get view(): SessionView | undefined {
    const held = this.#held;
    if (!held || held.expiresAt <= Date.now()) return undefined;
    const { access_token, visitor, agent_id } = held.session;
    return { access_token, visitor, agent_id, expires_at: new Date(held.expiresAt).toISOString() };
  }

  /** A session for whoever it is, a guest's where nobody is known. @throws ServiceError */
  async ensure(): Promise<void> {
    await this.#beginning?.catch(() => undefined);
    if (!this.view) await this.#beginAsGuest();
  }

  /** The session of the user for whom the page's backend got this token. @throws ServiceError */
  identify(visitorToken: string): Promise<void> {
    return this.#begin(() => this.#service.exchange(visitorToken));
  }

  #beginAsGuest(): Promise<void> {
    if (this.takesGuests) return this.#begin(() => this.#service.guest());
    throw new ServiceError(403, "sign_in_required", "this widget is for identified users: call Switchboard.identify");
  }

  #begin(ask: () => Promise<Session>): Promise<void> {
    const era = ++this.#era;
    const beginning = ask().then((session) => {
      if (era === this.#era) this.#hold(session);
    });
    this.#beginning = beginning;
    return beginning;
  }

  #hold(session: Session): void {
    const life = session.expires_in * 1000;
    this.#held = { session, expiresAt: Date.now() + life };
    this.#renewIn(life * RENEW_AFTER);
    const { view } = this;
    if (view) this.#events.emit("session", view);
  }

  #renewIn(delay: number): void {
    clearTimeout(this.#timer);
    this.#renewAt = Date.now() + delay;
    this.#timer = setTimeout(() => this.#renewIfDue(), delay);
  }

  #renewIfDue(): void {
    if (this.#held && Date.now() >= this.#renewAt) void this.#renew(this.#held);
  }

  /** A refresh token is good for one use: as long as one is under way, no other timer or event begins another. */
  async #renew(held: Held): Promise<void> {
    const { session, expiresAt } = held;
    this.#renewAt = Number.POSITIVE_INFINITY;
    try {
      const renewed = await this.#service.refresh(session.refresh_token);
      if (this.#held === held) this.#hold(renewed);
    } catch (error) {
      if (this.#held !== held || !(error instanceof ServiceError)) return;
      const left = expiresAt - Date.now();
      if (error.passing && left > 0) return this.#renewIn(Math.min(RETRY_AT_MOST_MS, Math.max(1000, left / 2)));
      await this.#end(session, error);
    }
  }

  /** A guest begins anew; a user can only be named again by the page. */
  async #end({ visitor }: Session, reason: ServiceError): Promise<void> {
    this.#held = undefined;
    try {
      if (visitor.type === "user" || reason.code === "key_disabled") throw reason;
      await this.#beginAsGuest();
    } catch (error) {
      const { message } = error as ServiceError;
      this.#events.emit("error", { code: "session_ended", message });
    }
  }
}
