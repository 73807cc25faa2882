import { ApiFailure, type Body, data, publicApi } from "../api/client.ts";

/** The result of a correct password: the session, or the ticket to send with a code of the second factor. */
type Answer = { session: Body<"Session">; ticket?: never } | { session?: never; ticket: string };

/** Signs in with a password. A user with a second factor must then enter a code. @throws ApiFailure */
export async function signInWithPassword(body: { account: string; email: string; password: string }): Promise<Answer> {
  try {
    return { session: await data(publicApi.POST("/api/login", { body })) };
  } catch (error) {
    if (error instanceof ApiFailure && error.code === "second_factor_required") return { ticket: error.ticket };
    throw error;
  }
}
