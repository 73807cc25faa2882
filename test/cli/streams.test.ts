import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Client } from "../../packages/cli/src/api/client.ts";
import { advance, bar, done, STARTING } from "../../packages/cli/src/campaigns/progress.ts";
import { each } from "../../packages/cli/src/events/forward.ts";
import { pagesOf, search, textOfPage } from "../../packages/cli/src/kernel/guides.ts";

/** Sends a piece whenever it is asked for one, and at the end closes or breaks. */
function bodyOf(pieces: (string | Uint8Array)[], broken = false): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift();
      if (piece !== undefined) controller.enqueue(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
      else if (broken) controller.error(new Error("reset"));
      else controller.close();
    },
  });
}

async function taken<T>(items: AsyncIterable<T>, most = Number.POSITIVE_INFINITY): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) {
    all.push(item);
    if (all.length >= most) break;
  }
  return all;
}

describe("a stream of events", () => {
  it("continues after the last event when the connection was lost or the service was unavailable", async () => {
    const asked: (string | null)[] = [];
    const answers = [
      () => new Response(bodyOf(["data: 1\nid: a\n\n"], true)),
      () => new Response("", { status: 503 }),
      () => {
        throw new TypeError("network");
      },
      () => new Response(bodyOf(["data: 2\nid: b\n\n", "data: 3\nid: c\n\n"])),
    ];
    const network = async (_url: unknown, init?: RequestInit) => {
      asked.push(new Headers(init?.headers).get("last-event-id"));
      const answer = answers.shift();
      if (!answer) throw new Error("asked too often");
      return answer();
    };
    const states: string[] = [];
    const client = new Client({ url: "http://s", apiKey: "k", fetch: network as typeof fetch, sleep: async () => {} });
    const options = { onLost: () => states.push("lost"), onBack: () => states.push("back") };
    const events = await taken(client.events("/stream", {}, options), 3);
    expect(events.map(({ data }) => data)).toEqual(["1", "2", "3"]);
    expect(asked).toEqual([null, "a", "a", "a"]);
    expect(states).toEqual(["lost", "lost", "lost", "back"]);
  });

  it("ends if it is refused", async () => {
    const network = async () => new Response('"no"', { status: 403, headers: { "x-request-id": "r1" } });
    const client = new Client({ url: "http://s", apiKey: "k", fetch: network as typeof fetch, sleep: async () => {} });
    await expect(taken(client.events("/stream"))).rejects.toMatchObject({ exit: 3, message: "no", requestId: "r1" });
  });
});

describe("requests", () => {
  it("name each refused field once", async () => {
    const errors = [
      { field: "types", message: "has no event type nope" },
      { field: "limit", message: "must be at least 1" },
    ];
    const network = async () => Response.json({ title: "types: has no event type nope", errors }, { status: 400 });
    const client = new Client({ url: "http://s", apiKey: "k", fetch: network as typeof fetch, sleep: async () => {} });
    const message = "types: has no event type nope; limit must be at least 1";
    await expect(client.get("/api/v1/events")).rejects.toMatchObject({ message });
  });

  it("a failed request is repeated under the same key if it may be, unlike an upload", async () => {
    const keys: (string | null)[] = [];
    const network = async (_url: unknown, init?: RequestInit) => {
      keys.push(new Headers(init?.headers).get("idempotency-key"));
      return new Response('"busy"', { status: 503 });
    };
    const client = new Client({ url: "http://s", apiKey: "k", fetch: network as typeof fetch, sleep: async () => {} });
    await expect(client.request("POST", "/api/v1/x", { body: {} })).rejects.toMatchObject({ exit: 5 });
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
    await expect(client.request("POST", "/api/v1/x", { body: new FormData() })).rejects.toMatchObject({ exit: 5 });
    expect(keys).toHaveLength(3);
  });
});

it("at most four events are forwarded at once", async () => {
  let [running, most] = [0, 0];
  async function* numbers() {
    for (let n = 0; n < 20; n++) yield n;
  }
  const seen: number[] = [];
  await each(numbers(), 4, async (n) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    running--;
    seen.push(n);
  });
  expect([seen.length, most]).toEqual([20, 4]);
});

describe("a campaign's progress", () => {
  const counts = { pending: 2, originated: 0, connected: 0, completed: 0, failed: 0, cancelled: 0 };
  const begun = advance(STARTING, "snapshot", { status: "running", status_reason: null, total_contacts: 2, counts });

  it("follows its events", () => {
    const calling = advance(begun, "originated", { previous_status: "pending", status: "originated" });
    const over = advance(calling, "completed", { previous_status: "originated", status: "completed" });
    expect([done(begun), done(calling), done(over)]).toEqual([0, 0, 1]);
    expect(bar(over, 60)).toMatch(/^█{10,}░{10,} 50% 1\/2, 0 calling$/);
  });

  it("fits the terminal", () => {
    fc.assert(
      fc.property(fc.integer({ min: 30, max: 300 }), (columns) => {
        expect(bar(begun, columns).length).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

it("guides are found by all words, titles first", () => {
  const index =
    '<li><a href="/docs/guides/a">A &amp; B</a><p>x</p></li><li><a href="/docs/c">C</a></li><li><a href="/docs/c">C</a>';
  expect(pagesOf(index)).toEqual([
    { path: "/docs/guides/a", title: "A & B" },
    { path: "/docs/c", title: "C" },
  ]);
  const text = textOfPage("<html><main><h1>Retry</h1><script>no</script><p>a &lt; b</p></main>");
  expect(text).toBe("Retry a < b");
  const pages = [
    { path: "/1", title: "Other", text: "retry once" },
    { path: "/2", title: "Retry", text: "retry keys once" },
  ];
  expect(search(pages, ["retry"]).map(({ path }) => path)).toEqual(["/2", "/1"]);
  expect(search(pages, ["retry", "keys"]).map(({ path }) => path)).toEqual(["/2"]);
});
