/** The `fetch` of the example runtime, which reports events. */
type Fetch = typeof fetch;
interface ReportedEvent {
  seq: number;
  at: string;
  type: string;
  [field: string]: unknown;
}

/** The part of the example runtime's socket that the tests break. */
export interface Socket {
  send(frame: unknown): void;
  close(code?: number): void;
  terminate(): void;
  on(event: "message", listener: (data: Buffer) => void): void;
}

/** A fault of a runtime, and the checks that find it. */
export interface Breakage {
  what: string;
  finds: string[];
  fetch?: () => Fetch;
  socket?: (socket: Socket, open: number) => void;
}

/** Changes the example's requests with events before they are sent. Other requests stay unchanged. */
function telling(
  change: (events: ReportedEvent[], send: (events: ReportedEvent[]) => Promise<Response>) => Promise<Response>,
): Fetch {
  return (url, init) => {
    if (!String(url).endsWith("/events")) return fetch(url, init);
    const { events } = JSON.parse(String(init?.body)) as { events: ReportedEvent[] };
    return change(events, (changed) => fetch(url, { ...init, body: JSON.stringify({ events: changed }) }));
  };
}

const taken = (events: ReportedEvent[]) => Response.json({ accepted_through: events.at(-1)?.seq ?? 0 });

const AGAIN = "repeats events after a 500, with the same numbers";
const NUMBERS = "numbers its events from 1, well formed, without gaps, nothing after the end";

export const BREAKAGES: Breakage[] = [
  {
    what: "shows a token of its own",
    finds: ["requests the session with the call's token"],
    fetch: () => (url, init) => fetch(url, { ...init, headers: { authorization: "Bearer eyJ.e30.e30" } }),
  },
  {
    what: "omits the disclosure",
    finds: ["says session.disclosure first, and reports disclosed"],
    fetch: () => async (url, init) => {
      const answer = await fetch(url, init);
      if (!String(url).endsWith("/session") || !answer.ok) return answer;
      return Response.json(Object.assign((await answer.json()) as object, { disclosure: null }));
    },
  },
  {
    what: "takes a 500 for an answer",
    finds: [AGAIN, NUMBERS, "repeats events if the response was lost"],
    fetch: () =>
      telling(async (events, send) => {
        await send(events).catch(() => {});
        return taken(events);
      }),
  },
  {
    what: "numbers events anew when it tells them again",
    finds: [AGAIN, NUMBERS],
    fetch: () => {
      const late = new Map<string, number>();
      return telling(async (events, send) => {
        const key = JSON.stringify(events[0]);
        const shift = late.get(key) ?? 0;
        late.set(key, shift + 100);
        const response = await send(events.map((event) => ({ ...event, seq: event.seq + shift })));
        return response.ok ? taken(events) : response;
      });
    },
  },
  {
    what: "tells everything twice",
    finds: ["reports nothing twice"],
    fetch: () =>
      telling(async (events, send) => {
        const doubled = events.flatMap((event) => [
          { ...event, seq: 2 * event.seq - 1 },
          { ...event, seq: 2 * event.seq },
        ]);
        const response = await send(doubled);
        return response.ok ? taken(events) : response;
      }),
  },
  {
    what: "never tells the end",
    finds: ["reports the end"],
    fetch: () =>
      telling(async (events, send) => {
        const rest = events.filter(({ type }) => type !== "ended");
        return rest.length === 0
          ? taken(events)
          : send(rest).then((response) => (response.ok ? taken(events) : response));
      }),
  },
  {
    what: "goes on after the end",
    finds: [NUMBERS],
    fetch: () =>
      telling((events, send) => {
        const { seq = 0, type, at = "" } = events.at(-1) ?? {};
        return send(type === "ended" ? [...events, { seq: seq + 1, at, type: "agent_turn", text: "Bye." }] : events);
      }),
  },
  {
    what: "tells no times",
    finds: [NUMBERS, "reports its greeting"],
    fetch: () => telling((events, send) => send(events.map(({ at: _, ...event }) => event as ReportedEvent))),
  },
  {
    what: "does not take a session's end for an answer",
    finds: ["reports nothing more after 403 session_ended"],
    fetch: () =>
      telling(async (events, send) => {
        const response = await send(events);
        return response.status === 403 ? taken(events) : response;
      }),
  },
  {
    what: "is silent",
    finds: ["says its greeting", "answers the caller", "holds two calls at once"],
    socket: (socket) => {
      socket.send = () => {};
    },
  },
  {
    what: "dies of a frame it does not know",
    finds: ["continues after an unknown frame"],
    socket: (socket) =>
      socket.on("message", (data) => {
        if (data.includes("switchboard.unknown")) socket.terminate();
      }),
  },
  {
    what: "never lets a line go",
    finds: ["closes the connection when the call ends", "closes the connection when its session is refused"],
    socket: (socket) => {
      socket.close = () => {};
    },
  },
  {
    what: "speaks another carrier's language",
    finds: ["sends only frames that the protocol defines", "says its greeting"],
    socket: (socket) => {
      const { send } = socket;
      socket.send = (frame) => send.call(socket, String(frame).replace('"event":"media"', '"event":"playAudio"'));
    },
  },
  {
    what: "holds one call at a time",
    finds: ["holds two calls at once"],
    socket: (socket, open) => {
      if (open > 1) socket.terminate();
    },
  },
];
