import { switchAccount } from "../session/session.ts";
import { signOut } from "../session/sign-out.ts";
import { mayLeave } from "../ui/form.ts";

/** Opens the same screen in another account of the session, after asking about unsaved changes. */
export async function goToAccount(account: string): Promise<void> {
  if (!(await mayLeave())) return;
  // Every account has the list, but the open row belongs to the old account.
  const [, base, screen = ""] = location.pathname.split("/");
  history.replaceState(null, "", `/${base}/${screen}`);
  switchAccount(account);
}

/** Signs out, after asking about unsaved changes. */
export async function leave(): Promise<void> {
  if (await mayLeave()) await signOut();
}
