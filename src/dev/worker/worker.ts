/**
 * The Worker as `npm start` serves it: the deployed Worker, and beside it stand-ins for the vendors that the shipped
 * tools call, at `/demo/vendor/<the vendor's host>/…`.
 */

import service from "../../index.ts";
import { withPath } from "../../kernel/http/request-path.ts";
import { VENDORS } from "../vendors/index.ts";

export * from "../../index.ts";

const PATH = "/demo/vendor/";
/** Headers that HTTP clients and proxies add and that vendors ignore. */
const TRANSPORT_HEADERS = /^(host|connection|accept-.*|sec-.*|cf-.*|cache-control|pragma|traceparent|x-forwarded-.*)$/;

export default {
  fetch(request, env, context) {
    // Parsing every address would take a few percent of a refused request's time.
    if (!request.url.includes(PATH)) return service.fetch(request, env, context);
    const url = new URL(withPath(request).url);
    return url.pathname.startsWith(PATH) ? vendorAnswer(request, url) : service.fetch(request, env, context);
  },
  scheduled: service.scheduled,
} satisfies ExportedHandler<Env>;

async function vendorAnswer(request: Request, { pathname, search }: URL): Promise<Response> {
  const [host = "", ...path] = pathname.slice(PATH.length).split("/");
  const vendor = VENDORS.find((each) => each.host === host);
  if (!vendor) return Response.json(`no vendor at ${host}`, { status: 404 });
  const headers = new Headers([...request.headers].filter(([name]) => !TRANSPORT_HEADERS.test(name)));
  const url = new URL(`https://${host}/${path.join("/")}${search}`);
  return vendor.answer({ method: request.method, url, headers, text: await request.text() });
}
