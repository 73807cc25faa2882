import { errorOf, SwitchboardError } from "./errors.ts";
import { STRICT, type Transport } from "./transport.ts";

/** Progress of an upload, bytes. */
export interface Progress {
  sent: number;
  total: number;
}

export interface UploadOptions {
  /** Called as bytes are sent; the answer may take longer. */
  onProgress?: ((progress: Progress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Posts a form. Browsers report progress by XMLHttpRequest; elsewhere the body is streamed and counted.
 * @throws SwitchboardError, or the signal's reason
 */
export async function upload(transport: Transport, path: string, form: FormData, options: UploadOptions = {}) {
  const { onProgress, signal } = options;
  const Request = xhr();
  if (!onProgress) return transport.fetch("POST", path, { body: form, timeoutMs: 0, signal });
  if (!Request) {
    const { body, headers } = await counted(form, onProgress);
    return transport.fetch("POST", path, { body, headers, timeoutMs: 0, signal });
  }
  const authorization = await transport.authorize();
  signal?.throwIfAborted();
  const response = await byXhr(
    new Request(),
    transport.urlOf(path),
    form,
    authorization.headers,
    onProgress,
    signal,
  ).catch((error: unknown) => {
    if (error instanceof SwitchboardError) authorization.failed?.(error);
    throw error;
  });
  if (response.ok) return response;
  const error = await errorOf(response);
  authorization.failed?.(error);
  throw error;
}

/** The used part of a browser's XMLHttpRequest, whose type other runtimes do not have. */
interface Xhr {
  upload: { addEventListener(type: "progress", listener: (event: Progressed) => void): void };
  status: number;
  responseText: string;
  addEventListener(type: string, listener: () => void): void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(form: FormData): void;
  abort(): void;
}
interface Progressed {
  loaded: number;
  total: number;
}

const xhr = (): (new () => Xhr) | undefined => (globalThis as { XMLHttpRequest?: new () => Xhr }).XMLHttpRequest;

/** Returns a form's body, which reports how much of it was read. */
async function counted(form: FormData, onProgress: (progress: Progress) => void) {
  const total = await sizeOf(form);
  const encoded = new Response(form);
  let sent = 0;
  onProgress({ sent, total });
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      controller.enqueue(piece);
      sent = Math.min(total, sent + piece.length);
      onProgress({ sent, total });
    },
    flush() {
      if (sent < total) onProgress({ sent: total, total });
    },
  });
  const headers = { "content-type": encoded.headers.get("content-type") ?? "multipart/form-data" };
  return { body: encoded.body?.pipeThrough(count), headers };
}

/** Returns the size of a form over the wire, bytes: its files and their boundaries. */
async function sizeOf(form: FormData): Promise<number> {
  const around = new FormData();
  let files = 0;
  form.forEach((value, name) => {
    if (typeof value === "string") around.append(name, value);
    else {
      files += value.size;
      around.append(name, new Blob([], { type: value.type }), value.name);
    }
  });
  return files + (await new Response(around).arrayBuffer()).byteLength;
}

function byXhr(
  request: Xhr,
  url: string,
  form: FormData,
  headers: Record<string, string>,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const stop = () => request.abort();
    signal?.addEventListener("abort", stop);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress({ sent: loaded, total }));
    request.addEventListener("load", () => resolve(responseOf(request)));
    request.addEventListener("error", () =>
      reject(new SwitchboardError({ status: 0, code: "unreachable", message: `POST ${url}: no answer` })),
    );
    request.addEventListener("abort", () => reject(signal?.reason));
    request.addEventListener("loadend", () => signal?.removeEventListener("abort", stop));
    request.open("POST", url);
    // Makes errors name every invalid field.
    const own = { accept: "application/json, application/problem+json", prefer: STRICT };
    for (const [name, value] of Object.entries(Object.assign(own, headers))) request.setRequestHeader(name, value);
    request.send(form);
  });
}

function responseOf(request: Xhr): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return new Response(request.responseText, { status: request.status, headers });
}
