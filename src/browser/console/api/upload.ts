import { type Progress, upload as send } from "../../../../packages/sdk/src/index.ts";
import { transport } from "./client.ts";

export type Sent = Progress;

interface Watch {
  /** Called as bytes are sent. The response may take longer. */
  progress: (sent: Sent) => void;
  signal: AbortSignal;
}

/**
 * Posts a form as the signed-in user and reports progress. Returns the response's JSON.
 * @throws ApiFailure, or the reason with which the signal was aborted
 */
export async function upload<T>(path: string, form: FormData, { progress, signal }: Watch): Promise<T> {
  return (await send(transport, path, form, { onProgress: progress, signal })).json();
}
