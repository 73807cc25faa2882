import { vi } from "vitest";

/** A page of a stand-in site: its text, or a function that answers requests for it. */
export type Served = string | ((request: Request) => Response | Promise<Response>);

/** Serves these addresses, and a 404 for every other one. Returns a list to which requested addresses are added. */
export function serveSite(pages: Readonly<Record<string, Served>>): string[] {
  const requested: string[] = [];
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    requested.push(request.url);
    const page = pages[request.url];
    if (page === undefined) return new Response("not found", { status: 404 });
    return typeof page === "string" ? html(page) : page(request);
  });
  return requested;
}

export const html = (body: string, headers: Record<string, string> = {}) =>
  new Response(body, { headers: { "content-type": "text/html; charset=utf-8", ...headers } });
export const redirect = (to: string) => new Response(null, { status: 302, headers: { location: to } });
