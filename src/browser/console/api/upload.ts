import { ApiFailure, accepted, credentialHeaders, credentialsNow } from "./client.ts";

/** How far an upload is. */
export interface Sent {
  sent: number;
  total: number;
}

interface Watch {
  /** Told as the bytes go out; the answer may take longer. */
  progress: (sent: Sent) => void;
  signal: AbortSignal;
}

/**
 * Posts a form as the signed-in user and reports progress, which `fetch` cannot. Returns the response's JSON.
 * @throws ApiFailure, or what the signal was aborted with
 */
export async function upload<T>(path: string, form: FormData, { progress, signal }: Watch): Promise<T> {
  const credentials = await credentialsNow();
  signal.throwIfAborted();
  const response = await new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal.addEventListener("abort", stop);
    request.upload.addEventListener("progress", ({ loaded, total }) => progress({ sent: loaded, total }));
    request.addEventListener("load", () => resolve(responseOf(request)));
    request.addEventListener("error", () => reject(new ApiFailure(0, "unreachable", "", "")));
    request.addEventListener("abort", () => reject(signal.reason));
    request.addEventListener("loadend", () => signal.removeEventListener("abort", stop));
    request.open("POST", path);
    // Errors are to name every wrong field.
    const accept = { accept: "application/json, application/problem+json" };
    for (const [name, value] of Object.entries(Object.assign(accept, credentialHeaders(credentials))))
      request.setRequestHeader(name, value);
    request.send(form);
  });
  return (await accepted(response, credentials)).json();
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return new Response(request.responseText, { status: request.status, headers });
}
