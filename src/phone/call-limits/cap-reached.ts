import { type ApiError, tooMany } from "../../kernel/http/errors.ts";
import type { Admission } from "./call-caps.ts";

export function capReached({ cap, retryAt }: NonNullable<Admission["refusal"]>, now = Date.now()): ApiError {
  const message = cap === "budget_reached" ? "a budget is used up" : `${cap.replaceAll("_", " ")} reached`;
  return tooMany(cap, message, retryAt - now);
}
