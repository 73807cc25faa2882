import type { Held } from "./memory.ts";
import { type Service, ServiceError, type Session } from "./service.ts";

/** The part of a session that the page and the media runtime see: all but the refresh token. */
export interface PublicSession {
  access_token: string;
  /** ISO 8601. */
  expires_at: string;
  visitor: { id: string; type: "guest" | "user" };
  agent_id: string;
}

export interface SessionHandlers {
  /** A user or guest session began; an earlier conversation does not belong to it. */
  begun(session: PublicSession): void;
  renewed(session: PublicSession): void;
  /** The session could not be renewed. */
  over(reason: ServiceError): void;
}

const RENEW_AFTER = 0.8;
const RETRY_AT_MOST_MS = 30_000;

/** The visitor's session: begins when first needed, and is renewed before it expires. */
export class WidgetSession {
  readonly #service: Service;
  readonly #handlers: SessionHandlers;
  /** Whether anonymous visitors may use the widget. */
  takesGuests = true;
  #held: Held | undefined;
  #beginning: Promise<void> | undefined;
  #renewing: Promise<void> | undefined;
  #renewAt = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of changes of the visitor's identity. Responses to requests from before a change are dropped. */
  #era = 0;
  /** The number of times that the session was dropped. `ensure` begins no new session if it waited during a drop. */
  #drops = 0;

  /** @param signal removes the listeners from the page */
  constructor(service: Service, handlers: SessionHandlers, signal: AbortSignal) {
    this.#service = service;
    this.#handlers = handlers;
    // Timers stop while a page is suspended, so an overdue renewal happens when it resumes.
    for (const wake of ["pageshow", "online"]) addEventListener(wake, () => this.#renewIfDue(), { signal });
    document.addEventListener("visibilitychange", () => this.#renewIfDue(), { signal });
  }

  get current(): PublicSession | undefined {
    const held = this.#held;
    if (!held || held.expiresAt <= Date.now()) return undefined;
    const { access_token, visitor, agent_id } = held.session;
    return { access_token, visitor, agent_id, expires_at: new Date(held.expiresAt).toISOString() };
  }

  /** Ensures that there is a valid session: the user's, or a guest's if no user is known. @throws ServiceError */
  async ensure(): Promise<void> {
    const drops = this.#drops;
    await this.#beginning?.catch(() => undefined);
    if (this.current) return;
    if (this.#held) await this.renew();
    if (!this.current && drops === this.#drops) await this.#beginAsGuest();
  }

  /** Begins the session of the user for whom this token was issued. @throws ServiceError */
  identify(visitorToken: string): Promise<void> {
    return this.#begin(() => this.#service.exchange(visitorToken));
  }

  /** Continues a session that an earlier page held. */
  resume(held: Held): void {
    this.#era++;
    this.#held = held;
    const { refresh_token, expires_in } = held.session;
    // A session that cannot be renewed is used until it expires.
    const early = refresh_token === "" ? 0 : expires_in * 1000 * (1 - RENEW_AFTER);
    this.#renewIn(held.expiresAt - Date.now() - early);
    const { current } = this;
    if (current) this.#handlers.renewed(current);
  }

  /** Releases the session so that another page can hold it. Omits the refresh token if a renewal is using it. */
  release(): Held | undefined {
    const held = this.#held;
    this.drop();
    if (!held || !this.#renewing) return held;
    return { expiresAt: held.expiresAt, session: { ...held.session, refresh_token: "" } };
  }

  /** Clears the session and its owner. */
  drop(): void {
    this.#era++;
    this.#drops++;
    this.#held = undefined;
    this.#beginning = undefined;
    clearTimeout(this.#timer);
  }

  /** Renews the session, or starts a new guest session if renewal is refused. @throws ServiceError if neither works */
  renew(): Promise<void> {
    const held = this.#held;
    if (!held) return this.ensure();
    // A refresh token is valid for one use, so only one renewal runs at a time.
    this.#renewing ??= this.#renew(held).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  #beginAsGuest(): Promise<void> {
    if (this.takesGuests) return this.#begin(() => this.#service.guest());
    throw new ServiceError(403, "sign_in_required", "this widget is for identified users: call Switchboard.identify");
  }

  #begin(ask: () => Promise<Session>): Promise<void> {
    const era = ++this.#era;
    const beginning = ask().then((session) => {
      if (era !== this.#era) return;
      this.#hold(session);
      const { current } = this;
      if (current) this.#handlers.begun(current);
    });
    this.#beginning = beginning;
    return beginning;
  }

  #hold(session: Session): void {
    const life = session.expires_in * 1000;
    this.#held = { session, expiresAt: Date.now() + life };
    this.#renewIn(life * RENEW_AFTER);
  }

  #renewIn(delay: number): void {
    clearTimeout(this.#timer);
    this.#renewAt = Date.now() + delay;
    // The timer decides when the renewal is due, even if the clock was set back in the meantime.
    const due = () => {
      this.#renewAt = 0;
      this.#renewIfDue();
    };
    this.#timer = setTimeout(due, Math.max(0, delay));
  }

  #renewIfDue(): void {
    if (this.#held && Date.now() >= this.#renewAt) this.renew().catch(() => undefined);
  }

  async #renew(held: Held): Promise<void> {
    this.#renewAt = Number.POSITIVE_INFINITY;
    try {
      const { refresh_token } = held.session;
      if (refresh_token === "") throw new ServiceError(400, "token_invalid", "the session cannot be renewed");
      const renewed = await this.#service.refresh(refresh_token);
      if (this.#held !== held) return;
      this.#hold(renewed);
      const { current } = this;
      if (current) this.#handlers.renewed(current);
    } catch (error) {
      if (this.#held !== held) return;
      if (!(error instanceof ServiceError)) throw error;
      if (!error.passing) return this.#end(held.session, error);
      const left = held.expiresAt - Date.now();
      this.#renewIn(Math.min(RETRY_AT_MOST_MS, Math.max(1000, left / 2)));
      throw error;
    }
  }

  /** Ends the session. A guest gets a new one; a user must be identified again by the page. */
  async #end({ visitor }: Session, reason: ServiceError): Promise<void> {
    this.#held = undefined;
    try {
      if (visitor.type === "user" || reason.code === "key_disabled") throw reason;
      await this.#beginAsGuest();
    } catch (error) {
      if (error instanceof ServiceError) this.#handlers.over(error);
      throw error;
    }
  }
}
