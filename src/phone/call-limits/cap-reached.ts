import { type ApiError, tooMany } from "../../kernel/http/errors.ts";
import type { Admission } from "./call-caps.ts";

/** The refusal of a call or a transfer that a cap keeps out, as a client gets it. */
export function capReached({ cap, retryAt }: NonNullable<Admission["refusal"]>, now = Date.now()): ApiError {
  return tooMany(cap, `${cap.replaceAll("_", " ")} reached`, retryAt - now);
}
