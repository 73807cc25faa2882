import { api } from "../api/client.ts";
import { endSession } from "./session.ts";

/** Signs out, here and in all tabs. What the service answers changes nothing: the token is forgotten either way. */
export async function signOut(): Promise<void> {
  await api.POST("/api/logout").catch(() => undefined);
  endSession();
}
