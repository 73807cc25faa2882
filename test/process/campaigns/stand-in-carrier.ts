import { createHmac } from "node:crypto";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Played, type ReceivedRequest, type Reply, type StandIn, standIn } from "../carriers/stand-in.ts";

/** A call in the carrier's record: what was requested and what happened. */
export interface CarrierCall {
  sid: string;
  to: string;
  from: string;
  /** When it was accepted, ms. */
  at: number;
  status: "queued" | "ringing" | "in-progress" | "canceled" | CallOutcome;
  /** How often its end was requested. */
  ended: number;
  /** Where its reports are sent. */
  callback: string;
}
export type CallOutcome = "completed" | "busy" | "no-answer";

/**
 * The moments at which the service can be killed: a call is requested but not accepted, accepted but not answered, or
 * just answered; a report is in flight or received; or a call's state is requested.
 */
export const MOMENTS = ["asked", "taken", "answered", "report sent", "report received", "looked up"] as const;
export type Moment = (typeof MOMENTS)[number];

export const CREDENTIALS = { account_sid: "AC00c0ffee", auth_token: "carrier-secret" };
const CALLS = `/2010-04-01/Accounts/${CREDENTIALS.account_sid}/Calls`;
const RECORDINGS = `/2010-04-01/Accounts/${CREDENTIALS.account_sid}/Recordings/`;

/** Maximum length of a call, ms, until it is hung up. */
export const FOR_EVER = 2 ** 31 - 1;
/**
 * A report that is not accepted is sent again: for some numbers until it must have arrived, for others only a few
 * times.
 */
const PATIENT = { tries: 40, pause: 500 };
const HASTY = { tries: 3, pause: 200 };
const ONCE = { tries: 1, pause: 0 };

/** Returns the course of a call. The number's last digit determines it, so that a test knows it in advance. */
export function outcomeOf(number: string): CallOutcome {
  return ({ 1: "busy", 2: "no-answer" }[number.slice(-1)] as CallOutcome | undefined) ?? "completed";
}

/** Checks whether the end of a number's calls is never reported, so that only a lookup finds it. */
const isSilent = (number: string) => number.endsWith("3");
const isPatient = (number: string) => Number(number.slice(-1)) >= 6;

/**
 * Plays Twilio in the test's own process, so that it survives the service's crashes. It accepts calls, lets them run,
 * reports them and records every one. `onMoment` is called at each moment and returns whether it killed the service.
 */
export class StandInCarrier {
  readonly ledger: CarrierCall[] = [];
  /** Number of requested calls, accepted or not. */
  requests = 0;
  /** Reports that the service refused. */
  readonly refused: string[] = [];
  onMoment: (moment: Moment) => boolean = () => false;
  /** Answers a request about a number in place of the carrier; null leaves it to the carrier. */
  intercept: (request: ReceivedRequest, to: string, serve: () => Played) => Played | Promise<Played> | null = () =>
    null;
  /** How long a call to a number rings and lasts, ms. */
  lasts: (to: string) => { ring: number; talk: number } = () => ({ ring: 80, talk: 120 });
  /** Whether a report that isn't accepted is sent again. */
  readonly #repeats: boolean;
  readonly #server: StandIn;
  readonly #closing = new AbortController();

  private constructor(server: StandIn, repeats: boolean) {
    this.#server = server;
    this.#repeats = repeats;
    server.play((request) => {
      const serve = () => this.#answer(request);
      return this.intercept(request, this.#numberIn(request), serve) ?? serve();
    });
  }

  static async open({ repeats = true } = {}): Promise<StandInCarrier> {
    return new StandInCarrier(await standIn(), repeats);
  }

  get url(): string {
    return this.#server.url;
  }

  /** Returns how often each number was dialed. */
  timesDialled(): Map<string, number> {
    return new Map([...Map.groupBy(this.ledger, ({ to }) => to)].map(([to, calls]) => [to, calls.length]));
  }

  /** Hangs up as the person with this number. */
  async hungUpBy(to: string): Promise<void> {
    const call = this.ledger.find((one) => one.to === to && one.status === "in-progress");
    if (!call) throw new Error(`nobody talks to ${to}`);
    call.status = "completed";
    await this.#report(call, call.status);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#server.stop();
  }

  #numberIn({ path, query, body }: ReceivedRequest): string {
    const call = this.ledger.find(({ sid }) => path === `${CALLS}/${sid}.json`);
    return call?.to ?? query.get("To") ?? new URLSearchParams(body).get("To") ?? "";
  }

  #answer({ method, path, query, body }: ReceivedRequest): Reply | "close" {
    if (path === `${CALLS}.json`) {
      if (method === "POST") return this.#originate(new URLSearchParams(body));
      if (this.onMoment("looked up")) return "close";
      const [to, from] = [query.get("To"), query.get("From")];
      const matches = (call: CarrierCall) => (to ?? call.to) === call.to && (from ?? call.from) === call.from;
      return { body: { calls: this.ledger.filter(matches).map(projectCall).reverse(), next_page_uri: null } };
    }
    if (path.startsWith(RECORDINGS)) return { body: "RIFF", headers: { "content-type": "audio/mpeg" } };
    const call = this.ledger.find(({ sid }) => path === `${CALLS}/${sid}.json`);
    if (!call) return { status: 404, body: { code: 20404, message: "not found" } };
    if (method === "GET") return this.onMoment("looked up") ? "close" : { body: projectCall(call) };
    if (isOver(call)) return { status: 400, body: { code: 21220, message: "Call is not in-progress" } };
    const talked = call.status === "in-progress";
    // An unanswered call can only be canceled, not completed.
    if (!talked && new URLSearchParams(body).get("Status") !== "canceled") return { body: projectCall(call) };
    call.status = talked ? "completed" : "canceled";
    call.ended++;
    if (!isSilent(call.to)) void this.#report(call, call.status);
    return { body: projectCall(call) };
  }

  #originate(order: URLSearchParams): Reply | "close" {
    this.requests++;
    if (this.onMoment("asked")) return "close";
    const [callback = ""] = (order.get("StatusCallback") ?? "").split("#");
    const call: CarrierCall = {
      sid: `CA${String(this.ledger.length).padStart(6, "0")}`,
      to: order.get("To") ?? "",
      from: order.get("From") ?? "",
      callback,
      at: Date.now(),
      status: "queued",
      ended: 0,
    };
    this.ledger.push(call);
    const answer = { status: 201, body: projectCall(call), sent: () => void this.onMoment("answered") };
    // The phone rings, whether or not the service survives.
    void this.#run(call);
    return this.onMoment("taken") ? "close" : answer;
  }

  async #run(call: CarrierCall): Promise<void> {
    const outcome = outcomeOf(call.to);
    const reports: Promise<void>[] = [];
    const become = async (status: CarrierCall["status"], after: number) => {
      await this.#pause(after);
      if (isOver(call)) return;
      call.status = status;
      if (!(isOver(call) && isSilent(call.to))) reports.push(this.#report(call, status));
    };
    const { ring, talk } = this.lasts(call.to);
    await become("ringing", ring / 2);
    if (outcome === "completed") await become("in-progress", ring / 2);
    await become(outcome, outcome === "completed" ? talk : ring / 2);
    await Promise.all(reports);
  }

  async #report(call: CarrierCall, status: CarrierCall["status"]): Promise<void> {
    const { tries, pause } = !this.#repeats ? ONCE : isPatient(call.to) ? PATIENT : HASTY;
    for (let n = 0; n < tries && !this.#closing.signal.aborted; n++) {
      const answer = await this.send(call.callback, { CallSid: call.sid, CallStatus: status, To: call.to });
      if (answer !== null && answer < 500) {
        if (answer >= 400) this.refused.push(`${answer} for ${status} of ${call.sid}`);
        return;
      }
      await this.#pause(pause);
    }
  }

  /** Waits without delaying the shutdown. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }

  /** Sends a signed form and returns the response's status; null if there is none. */
  send(url: string, fields: Record<string, string>): Promise<number | null> {
    const signed = Object.entries(fields)
      .map(([name, value]) => name + value)
      .sort()
      .join("");
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": createHmac("sha1", CREDENTIALS.auth_token)
        .update(url + signed)
        .digest("base64"),
    };
    return new Promise((resolve) => {
      const options = { method: "POST", headers, agent: false, signal: this.#closing.signal };
      let reached = false;
      const report = request(url, options, (answer) => {
        answer.resume();
        this.onMoment("report received");
        resolve(answer.statusCode ?? null);
      });
      report.on("socket", (socket) => {
        socket.once("connect", () => {
          reached = true;
        });
      });
      report.on("error", () => resolve(null));
      report.end(new URLSearchParams(fields).toString(), () => void (reached && this.onMoment("report sent")));
    });
  }
}

function projectCall({ sid, status, at }: CarrierCall): object {
  return { sid, status, date_created: new Date(at).toUTCString(), answered_by: null };
}

function isOver({ status }: CarrierCall): boolean {
  return !["queued", "ringing", "in-progress"].includes(status);
}
