import { eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { phoneNumbers } from "../../kernel/db/schema/index.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { type ApiError, conflict, invalidField, notFound, tooMany } from "../../kernel/http/errors.ts";
import { projectCall } from "../calls/call-projection.ts";
import { sandboxInbound } from "../carriers/sandbox.ts";
import { connectCall } from "./answer-call.ts";
import { sorry, type TurnedAway } from "./decision.ts";

/**
 * A call to one of the account's numbers, with the caller's lines; by default those of a person chosen by the caller's
 * number.
 */
interface SandboxCall {
  from_number: string;
  to_number: string;
  says?: string[] | undefined;
}

/**
 * Simulates a call to a sandbox number, as a carrier's webhook would announce it. @throws ApiError with the obstacle
 */
export async function callSandbox(
  { env, store, now, newId }: { env: Bindings; store: AccountStore; now: number; newId: () => string },
  { from_number, to_number, says }: SandboxCall,
) {
  const [number] = await store.read(store.first(phoneNumbers, { where: eq(phoneNumbers.e164, to_number) }));
  if (!number) throw notFound("phone number", "to_number");
  const provider = "sandbox";
  if (number.provider !== provider) throw invalidField("to_number", "not_a_sandbox_number", "is not a sandbox number");
  // Idempotent: a retry under the same key announces the same call.
  const provider_call_id = newId();
  const answer = await connectCall(
    { env, store, now },
    { provider, credentials_id: number.credentials_id },
    sandboxInbound({ env, account: store.account }, says ?? null),
    { provider_call_id, from_number, to_number },
  );
  if ("refusal" in answer) throw turnedAway(answer);
  return projectCall(answer.row);
}

function turnedAway({ refusal, full }: TurnedAway): ApiError {
  if (full) return tooMany(full.cap, `${full.cap.replaceAll("_", " ")} reached`, full.retryAt - Date.now());
  return refusal === "unknown_number" ? notFound("phone number") : conflict(refusal, sorry({ refusal }).text);
}
