import { Router } from "@solidjs/router";

import { lazy, Show, Suspense } from "solid-js";
import { render } from "solid-js/web";
import { queries } from "./api/queries.ts";
import { routes } from "./routes.tsx";
import { Admitted } from "./session/admitted.tsx";
import { isRenewing } from "./session/ending.ts";
import { keepRenewing } from "./session/renewal.ts";
import { adoptSession, isEnded, isFactorMissing, session } from "./session/session.ts";
import { SignIn } from "./session/sign-in.tsx";
import { Layout } from "./shell/layout.tsx";
import "./ui/tokens.css";
import "./ui/base.css";
import { ConfirmHost } from "./ui/confirm.tsx";
import { ensureValidLanguage } from "./ui/language.ts";
import { applyTheme } from "./ui/theme.ts";
import { Toasts } from "./ui/toast.tsx";
import { checkForms } from "./ui/validity.ts";

/** Loaded only when a session has ended. */
const SignInAgain = lazy(() => import("./session/sign-in-again.tsx"));
/** Loaded only for users who must set up a second factor. */
const SecondFactorRequired = lazy(() => import("./session/second-factor-required.tsx"));
/** Pages linked from messages, by address. They also work for users who aren't signed in. */
const LINKED = new Map([
  ["/console/accept", lazy(() => import("./session/accept.tsx"))],
  ["/console/reset-password", lazy(() => import("./session/reset-password.tsx"))],
]);

/** Renders the page for the address: a standalone page, or the console itself. */
function Root() {
  applyTheme();
  const Linked = LINKED.get(location.pathname);
  return (
    <>
      {Linked ? (
        <Suspense>
          <Linked />
        </Suspense>
      ) : (
        <Console />
      )}
      <Toasts />
    </>
  );
}

function Console() {
  return (
    <Show when={session()?.account} keyed fallback={<SignIn />}>
      <div hidden={isFactorMissing()}>
        <Admitted>
          <Router base="/console" root={Layout}>
            {routes()}
          </Router>
        </Admitted>
      </div>
      <Show when={isFactorMissing()}>
        <Suspense>
          <SecondFactorRequired />
        </Suspense>
      </Show>
      <ConfirmHost />
      <Show when={isEnded() || isRenewing()}>
        <Suspense>
          <SignInAgain />
        </Suspense>
      </Show>
    </Show>
  );
}

const root = document.getElementById("console");
if (root) {
  queries.mount();
  ensureValidLanguage();
  checkForms();
  // A standalone page belongs to no session.
  if (!LINKED.has(location.pathname)) {
    await adoptSession();
    keepRenewing();
  }
  render(Root, root);
}
