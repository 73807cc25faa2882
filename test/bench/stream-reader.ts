import { get, type IncomingMessage } from "node:http";
import type { Service } from "./service.ts";

/** How the events of a stream look, with `seq` and `at` of each, and the last of them. */
export interface Feed {
  event: RegExp;
  last: RegExp;
}

/** Somebody who watches, by a connection of its own. */
export class StreamReader {
  readonly seqs: number[] = [];
  readonly lags: number[] = [];
  readonly over: Promise<void>;

  private constructor(response: IncomingMessage, feed: Feed) {
    let text = "";
    this.over = new Promise((resolve, reject) => {
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        const end = text.lastIndexOf("\n\n");
        if (end === -1) return;
        this.#take(text.slice(0, end), feed.event);
        if (feed.last.test(text)) {
          response.destroy();
          resolve();
        }
        text = text.slice(end + 2);
      });
      response.on("error", reject);
    });
  }

  static open({ base, headers }: Service, path: string, feed: Feed): Promise<StreamReader> {
    return new Promise((resolve, reject) => {
      const request = get(base + path, { headers, agent: false }, (response) =>
        response.statusCode === 200
          ? resolve(new StreamReader(response, feed))
          : reject(new Error(`${path}: ${response.statusCode}`)),
      );
      request.on("error", reject);
    });
  }

  #take(text: string, event: RegExp): void {
    const now = Date.now();
    for (const { groups } of text.matchAll(event)) {
      this.seqs.push(Number(groups?.seq));
      this.lags.push(now - Date.parse(groups?.at ?? ""));
    }
  }
}
