import { openRuntime, type RuntimeSocket } from "../../support/runtime.ts";
import { page, type Session, visitorToken, type WidgetTenant } from "../../support/widget.ts";

/** Opens a page's socket and presents its token. */
export async function talk(access_token: string, headers: Record<string, string> = {}): Promise<RuntimeSocket> {
  const socket = await openRuntime(undefined, headers);
  socket.send({ type: "session", access_token });
  return socket;
}

/** Waits until a socket is ready, or returns how it closed. */
export function readyOrClosed(socket: RuntimeSocket): Promise<"ready" | { code: number; reason: string }> {
  const ready = socket.next().then(() => "ready" as const);
  return Promise.race([ready.catch(() => socket.closed), socket.closed]);
}

export const guest = async ({ widgetKey }: Pick<WidgetTenant, "widgetKey">): Promise<Session> =>
  (await page().guest(widgetKey.key)).body;

export const user = async (who: WidgetTenant, id: string): Promise<Session> =>
  (await page().exchange(await visitorToken(who, id))).body;
