import { expect, vi } from "vitest";
import type { Carrier } from "../../../src/phone/carriers/carrier.ts";
import type { StandIn } from "./stand-in.ts";
import { NOW, order, type Subject } from "./subject.ts";

export const ref = { ...order, placed_at: NOW, connected: false };

/** Connects the subject's carrier to the stand-in. */
export function connectTo(
  server: StandIn,
  { kind, credentials, variable }: Subject,
  { now = () => NOW, timeout_ms = 60_000 } = {},
): Carrier {
  const env = { [variable]: server.url } as never;
  return kind.connect(kind.credentials.parse(credentials) as never, { account: "acme", env, fetch, now, timeout_ms });
}

/** Makes the stand-in never answer a request, which times out as soon as it has arrived. */
export function hang(server: StandIn): void {
  const time = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(time.signal);
  server.play(() => {
    time.abort(new DOMException("The operation timed out.", "TimeoutError"));
    return "hang";
  });
}

export const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as Error,
  );

/** Checks that every request carried the subject's credentials. */
export function expectAuthorized(server: StandIn, { authorization }: Subject): void {
  for (const { headers } of server.requests) authorization(headers.authorization ?? "");
}

/** Checks that a message contains no secret and no number, whatever a carrier wrote. */
export function expectClean(subject: Subject, message: string): void {
  for (const [field, value] of Object.entries(subject.credentials))
    if (/token|secret|key/.test(field) && field !== "public_key") expect(message).not.toContain(value);
  expect(message).not.toMatch(/\d{7}/);
  expect(message.length).toBeLessThan(300);
}
