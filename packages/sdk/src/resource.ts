import { List } from "./pages.ts";
import { type FollowOptions, follow, parsed, type StreamEvent } from "./sse.ts";
import { fill, type Transport } from "./transport.ts";
import type { Answer, CallOptions, Init, Method, PathOf, RequestOptions } from "./types.ts";

/** The base of every group of operations. */
export class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  protected call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...init: Init<M, P>
  ): Promise<Answer<M, P>> {
    return this.transport.request(method, path, ...init);
  }

  protected listOf<P extends PathOf<"GET">, Item>(
    path: P,
    itemsOf: (page: Answer<"GET", P>) => readonly Item[],
    { path: at, query, options }: { path?: object; query?: object | undefined; options?: CallOptions | undefined },
  ): List<Item, Answer<"GET", P>> {
    const read = (pageQuery: object) => {
      const init = Object.assign({}, options, { params: { path: at, query: pageQuery } });
      return this.transport.request("GET", path, ...([init as RequestOptions<"GET", P>] as unknown as Init<"GET", P>));
    };
    return new List(read, itemsOf, query);
  }

  /** Returns a file unread: take its `text()` or stream its `body`. */
  protected file(path: string, at: object, query: object | undefined, options: CallOptions = {}): Promise<Response> {
    const sent = Object.assign({ accept: "*/*", timeoutMs: 0 }, options);
    return this.transport.fetch("GET", fill(path, { path: at, query }), sent);
  }

  protected streamOf<Data>(
    path: string,
    at: object,
    query: object | undefined,
    options: FollowOptions = {},
  ): AsyncGenerator<StreamEvent<Data>, void> {
    const { transport } = this;
    const address = fill(path, { path: at, query });
    const events = follow(
      {
        connect: (lastEventId, signal) => {
          const headers: Record<string, string> = lastEventId === "" ? {} : { "last-event-id": lastEventId };
          return transport.fetch("GET", address, { accept: "text/event-stream", headers, signal, maxRetries: 0 });
        },
        pause: (ms, signal) => transport.pause(ms, signal),
        random: () => transport.random(),
      },
      options,
    );
    return parsed<Data>(events);
  }
}

/** Combines call options with parameters and body. */
export const withParams = <Given extends object>(options: CallOptions | undefined, given: Given): CallOptions & Given =>
  Object.assign({}, options, given);
