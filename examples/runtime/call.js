/* One call: what this runtime says and does. An agent of yours would listen and think where this one beeps. */

import { FRAME_MS, Listener, OVER_AFTER_MS, tone } from "./audio.js";
import { Refused } from "./session.js";

const GREETING_HZ = 440;
const ANSWER_HZ = 660;
const SORRY_HZ = 220;
/** So much sound is ahead of what the caller hears, ms: timers are late at times. */
const AHEAD_MS = 60;

/**
 * What a call is made of.
 * @typedef {object} Parts
 * @property {number} rate samples a second
 * @property {(samples: Int16Array) => void} play sends sound to the caller
 * @property {() => void} clear has the carrier discard what it was sent and has not played
 * @property {() => void} close lets the line go
 * @property {any} snapshot the session as Switchboard gave it
 * @property {import("./session.js").Session} session
 * @property {import("./session.js").Reporter} reporter
 * @property {string} transferTo the number that key 0 leads to, or nothing
 */

export class Call {
  #do;
  #listener;
  /** What is being said: its text, its sound, how much of it was sent. */
  #saying = null;
  #timer;
  #longest;
  #over = false;
  #tools = 0;

  /** @param {Parts} parts */
  constructor(parts) {
    this.#do = parts;
    this.#listener = new Listener(parts.rate);
    this.#timer = setInterval(() => this.#play(), FRAME_MS);
    const { max_duration_s } = parts.snapshot.limits;
    this.#longest = setTimeout(() => this.#hangUp("max_duration"), 1000 * Math.min(max_duration_s, 86_400));
    this.#disclose();
  }

  /** Says what the agent is before anything else, and nobody can cut it off; unless the carrier has said it. */
  #disclose() {
    const { snapshot, rate, reporter } = this.#do;
    const { disclosure } = snapshot;
    if (!disclosure || disclosure.spoken) return this.#greet();
    const afterwards = () => {
      reporter.add("disclosed", {});
      this.#greet();
    };
    this.#say(disclosure.text, tone(rate, GREETING_HZ, 400), { interruptible: false, afterwards });
  }

  #greet() {
    const { greeting_message, greeting_mode } = this.#do.snapshot.agent;
    if (greeting_message === "") return;
    const interruptible = greeting_mode !== "locked";
    this.#say(greeting_message, tone(this.#do.rate, GREETING_HZ, 600), { interruptible });
  }

  /** The caller is heard. @param {Int16Array} samples */
  heard(samples) {
    if (this.#over || this.#saying?.interruptible === false) return;
    const found = this.#listener.take(samples);
    if (found === null) return;
    if (found === "began") return this.#interrupt();
    const seconds = (found.length / this.#do.rate).toFixed(1);
    this.#do.reporter.add("user_turn", { text: `(${seconds} s of audio)` });
    this.#say(`(${seconds} s of echo)`, found, { answering: Date.now() - OVER_AFTER_MS });
  }

  /** The caller has pressed a key. @param {string} digit */
  pressed(digit) {
    if (this.#over) return;
    this.#do.reporter.add("user_turn", { text: `(pressed ${digit})` });
    if (digit === "1") this.#tellTheTime();
    else if (digit === "9")
      this.#say("Goodbye.", tone(this.#do.rate, SORRY_HZ, 200), { afterwards: () => this.#hangUp() });
    else if (digit === "0") this.#transfer();
  }

  /** The line is gone, or is to go: tells why, and lets it go. @param {string} reason */
  end(reason) {
    if (this.#over) return;
    this.#interrupt();
    this.#over = true;
    clearInterval(this.#timer);
    clearTimeout(this.#longest);
    this.#do.reporter.add("ended", { reason });
    this.#do.close();
  }

  /** Says something; whatever was being said is cut off. */
  #say(text, sound, { interruptible = true, answering = 0, afterwards = () => {} } = {}) {
    this.#interrupt();
    this.#saying = { text, sound, sent: 0, began: Date.now(), interruptible, answering, afterwards };
    this.#play();
  }

  /** Sends what is due by now. */
  #play() {
    const saying = this.#saying;
    if (saying === null) return;
    const { rate, play, reporter } = this.#do;
    const perFrame = (rate * FRAME_MS) / 1000;
    const due = (rate * (Date.now() - saying.began + AHEAD_MS)) / 1000;
    if (saying.sent === 0 && saying.answering > 0) reporter.add("latency", { ms: Date.now() - saying.answering });
    for (; saying.sent < Math.min(due, saying.sound.length); saying.sent += perFrame)
      play(saying.sound.subarray(saying.sent, saying.sent + perFrame));
    if (due < saying.sound.length + (rate * AHEAD_MS) / 1000) return;
    this.#saying = null;
    reporter.add("agent_turn", { text: saying.text });
    reporter.add("usage", { audio_ms: Math.round((1000 * saying.sound.length) / rate) });
    saying.afterwards();
  }

  /** Stops saying it, and tells how much of it was heard. */
  #interrupt() {
    const saying = this.#saying;
    if (saying === null) return;
    this.#saying = null;
    this.#do.clear();
    const heard = saying.text.slice(0, Math.floor((saying.text.length * saying.sent) / saying.sound.length));
    this.#do.reporter.add("agent_turn", { text: saying.text, interrupted: true, heard });
  }

  /** A tool that runs here. One with `runs: "platform"` would be asked of Switchboard. */
  #tellTheTime() {
    const { reporter, rate } = this.#do;
    const tool_call_id = `clock-${++this.#tools}`;
    const began = Date.now();
    reporter.add("tool_call", { tool_call_id, name: "clock", arguments: {} });
    const time = new Date().toISOString().slice(11, 16);
    reporter.add("tool_result", { tool_call_id, ok: true, result: { time }, duration_ms: Date.now() - began });
    this.#say(`It is ${time} in UTC.`, tone(rate, ANSWER_HZ, 400));
  }

  async #hangUp(reason = "agent_hung_up") {
    // Should it fail, most carriers end the call when its stream is closed: nothing more is in their instructions.
    await this.#do.session.hangUp().catch((error) => console.error(`hang-up: ${error.message}`));
    this.end(reason);
  }

  async #transfer() {
    const { session, reporter, transferTo, rate } = this.#do;
    if (transferTo === "") return this.#say("There is nobody to transfer you to.", tone(rate, SORRY_HZ, 400));
    try {
      await session.transfer(transferTo);
      this.end("transferred");
    } catch (error) {
      const code = error instanceof Refused ? error.code : "unreachable";
      reporter.add("disposition", { value: "transfer_failed", note: code });
      this.#say("I cannot transfer you.", tone(rate, SORRY_HZ, 400));
    }
  }
}
