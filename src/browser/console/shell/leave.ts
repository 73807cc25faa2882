import { switchAccount } from "../session/session.ts";
import { signOut } from "../session/sign-out.ts";
import { mayLeave } from "../ui/form.ts";

/** Goes to the same screen of another account of the session, once nothing unsaved is lost by it. */
export async function goToAccount(account: string): Promise<void> {
  if (!(await mayLeave())) return;
  // Every account has the list; the open row belongs to the old account.
  const [, base, screen = ""] = location.pathname.split("/");
  history.replaceState(null, "", `/${base}/${screen}`);
  switchAccount(account);
}

/** Signs out, once nothing unsaved is lost by it. */
export async function leave(): Promise<void> {
  if (await mayLeave()) await signOut();
}
