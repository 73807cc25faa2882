import { api } from "../api/client.ts";
import { endSession } from "./session.ts";

/** Signs out here and in all tabs. It ignores the service's response, because the token is deleted either way. */
export async function signOut(): Promise<void> {
  await api.POST("/api/logout").catch(() => undefined);
  endSession();
}
