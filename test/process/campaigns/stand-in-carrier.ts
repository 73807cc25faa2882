import { createHmac } from "node:crypto";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Played, type ReceivedRequest, type Reply, type StandIn, standIn } from "../carriers/stand-in.ts";

/** A call in the carrier's ledger: what was requested, and what happened to it. */
export interface CarrierCall {
  sid: string;
  to: string;
  from: string;
  /** When it was taken, ms. */
  at: number;
  status: "queued" | "ringing" | "in-progress" | "canceled" | CallOutcome;
  /** How often somebody ended it. */
  ended: number;
  /** Where its reports go. */
  callback: string;
}
export type CallOutcome = "completed" | "busy" | "no-answer";

/**
 * When the service can be killed: asked for a call before the carrier takes it, taken but not answered, just answered,
 * a report on its way, a report received, asked about the state of a call.
 */
export const MOMENTS = ["asked", "taken", "answered", "report sent", "report received", "looked up"] as const;
export type Moment = (typeof MOMENTS)[number];

export const CREDENTIALS = { account_sid: "AC00c0ffee", auth_token: "carrier-secret" };
const CALLS = `/2010-04-01/Accounts/${CREDENTIALS.account_sid}/Calls`;
const RECORDINGS = `/2010-04-01/Accounts/${CREDENTIALS.account_sid}/Recordings/`;

/** The longest a call can last here, ms: until somebody hangs up. */
export const FOR_EVER = 2 ** 31 - 1;
/** A report that nobody takes is sent again: to some numbers until it must have arrived, to the others not for long. */
const PATIENT = { tries: 40, pause: 500 };
const HASTY = { tries: 3, pause: 200 };
const ONCE = { tries: 1, pause: 0 };

/** The course of a call: the number's last digit decides, so that a test can tell without asking. */
export function outcomeOf(number: string): CallOutcome {
  return ({ 1: "busy", 2: "no-answer" }[number.slice(-1)] as CallOutcome | undefined) ?? "completed";
}

/** Numbers whose end is never reported: only who asks gets to know it. */
const isSilent = (number: string) => number.endsWith("3");
const isPatient = (number: string) => Number(number.slice(-1)) >= 6;

/**
 * Plays Twilio in the test's own process, so that it lives through the service's crashes: takes calls, lets them run,
 * reports on them and remembers every one. `onMoment` is called at each moment and says whether it ended the service.
 */
export class StandInCarrier {
  readonly ledger: CarrierCall[] = [];
  /** Requests for a call, taken or not. */
  requests = 0;
  /** Reports the service refused. */
  readonly refused: string[] = [];
  onMoment: (moment: Moment) => boolean = () => false;
  /** Answers in the carrier's place a request that has to do with a number; null leaves it to the carrier. */
  intercept: (request: ReceivedRequest, to: string, serve: () => Played) => Played | Promise<Played> | null = () =>
    null;
  /** How long a call to a number rings and how long it is talked, ms. */
  lasts: (to: string) => { ring: number; talk: number } = () => ({ ring: 80, talk: 120 });
  /** Whether a report that nobody takes is sent again. */
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

  /** How often each number was dialled. */
  timesDialled(): Map<string, number> {
    return new Map([...Map.groupBy(this.ledger, ({ to }) => to)].map(([to, calls]) => [to, calls.length]));
  }

  /** The person with this number hangs up when talked to. */
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
      return { body: { calls: this.ledger.filter(matches).map(view).reverse(), next_page_uri: null } };
    }
    if (path.startsWith(RECORDINGS)) return { body: "RIFF", headers: { "content-type": "audio/mpeg" } };
    const call = this.ledger.find(({ sid }) => path === `${CALLS}/${sid}.json`);
    if (!call) return { status: 404, body: { code: 20404, message: "not found" } };
    if (method === "GET") return this.onMoment("looked up") ? "close" : { body: view(call) };
    if (isOver(call)) return { status: 400, body: { code: 21220, message: "Call is not in-progress" } };
    const talked = call.status === "in-progress";
    // A call that is not answered yet is not completed but canceled.
    if (!talked && new URLSearchParams(body).get("Status") !== "canceled") return { body: view(call) };
    call.status = talked ? "completed" : "canceled";
    call.ended++;
    if (!isSilent(call.to)) void this.#report(call, call.status);
    return { body: view(call) };
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
    const answer = { status: 201, body: view(call), sent: () => void this.onMoment("answered") };
    // Whether the service lives to hear of it or not, the phone rings.
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

  /** Lets time pass, but does not hold up the closing. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }

  /** Sends a signed form; gives the answer's status, null if none came. */
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

function view({ sid, status, at }: CarrierCall): object {
  return { sid, status, date_created: new Date(at).toUTCString(), answered_by: null };
}

function isOver({ status }: CarrierCall): boolean {
  return !["queued", "ringing", "in-progress"].includes(status);
}
