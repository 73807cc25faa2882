import { Router } from "@solidjs/router";

import { lazy, Show, Suspense } from "solid-js";
import { render } from "solid-js/web";
import { queries } from "./api/queries.ts";
import { routes } from "./routes.tsx";
import { isRenewing } from "./session/ending.ts";
import { adoptSession, isEnded, session } from "./session/session.ts";
import { SignIn } from "./session/sign-in.tsx";
import { Layout } from "./shell/layout.tsx";
import "./ui/tokens.css";
import "./ui/base.css";
import { ConfirmHost } from "./ui/confirm.tsx";
import { ensureValidLanguage } from "./ui/language.ts";
import { revealInvalidFields } from "./ui/show-fault.ts";
import { applyTheme } from "./ui/theme.ts";
import { Toasts } from "./ui/toast.tsx";

/** Needed once an hour. */
const SignInAgain = lazy(() => import("./session/sign-in-again.tsx"));

function Console() {
  applyTheme();
  return (
    <>
      <Show when={session()?.account} keyed fallback={<SignIn />}>
        <Router base="/console" root={Layout}>
          {routes()}
        </Router>
        <ConfirmHost />
        <Show when={isEnded() || isRenewing()}>
          <Suspense>
            <SignInAgain />
          </Suspense>
        </Show>
      </Show>
      <Toasts />
    </>
  );
}

const place = document.getElementById("console");
if (place) {
  queries.mount();
  ensureValidLanguage();
  revealInvalidFields();
  await adoptSession();
  render(Console, place);
}
