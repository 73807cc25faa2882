import "./ui/tokens.css";
import "./ui/base.css";
import { Router } from "@solidjs/router";
import { createComputed, type JSX, lazy, on, onCleanup, Show, Suspense } from "solid-js";
import { render } from "solid-js/web";
import { MINUTE_MS } from "../../kernel/time.ts";
import { api, data } from "./api/client.ts";
import { setAuthority } from "./api/may.ts";
import { queries, query } from "./api/queries.ts";
import { useQuery } from "./api/use-query.ts";
import { routes } from "./routes.tsx";
import { isRenewing } from "./session/ending.ts";
import { keepRenewing } from "./session/renewal.ts";
import { adoptSession, isEnded, isFactorMissing, session } from "./session/session.ts";
import { SignIn } from "./session/sign-in.tsx";
import { Layout } from "./shell/layout.tsx";
import { LANGUAGE } from "./texts/format.ts";
import { ConfirmHost } from "./ui/confirm.tsx";
import { Loaded } from "./ui/feedback.tsx";
import { applyTheme } from "./ui/theme.ts";
import { Toasts } from "./ui/toast.tsx";
import { checkForms } from "./ui/validity.ts";

/** Needed where a session has ended. */
const SignInAgain = lazy(() => import("./session/sign-in-again.tsx"));
/** Needed once by each user of an account that requires a second factor. */
const SecondFactorRequired = lazy(() => import("./session/second-factor-required.tsx"));
/** Pages that links in messages lead to, by address, also for users who are not signed in. */
const LINKED = new Map([
  ["/console/accept", lazy(() => import("./session/accept.tsx"))],
  ["/console/reset-password", lazy(() => import("./session/reset-password.tsx"))],
]);

/** What the address asks for: a standalone page, or the console itself. */
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

const place = document.getElementById("console");
if (place) {
  queries.mount();
  ensureValidLanguage();
  checkForms();
  // A standalone page belongs to no session.
  if (!LINKED.has(location.pathname)) {
    await adoptSession();
    keepRenewing();
  }
  render(Root, place);
}

/** How often the role is refetched, ms: a changed role takes effect at once, which an idle screen would not notice. */
const REFETCH_INTERVAL_MS = MINUTE_MS;

/**
 * The user's role in the account of now; asked again where the service refuses something for lack of a scope, or a stream
 * breaks off, as every stream does when the role changes.
 */
const currentSession = () => query(["session"], (signal) => data(api.GET("/api/session", { signal })));

/** Shown once the user's permissions are known. */
function Admitted(props: { children: JSX.Element }) {
  const current = useQuery(() => Object.assign(currentSession(), { refetchInterval: REFETCH_INTERVAL_MS }));
  createComputed(() => setAuthority(current.data));
  // What another role shows differently is read again.
  createComputed(
    on(
      () => current.data?.role,
      (role, before) => {
        if (role === undefined || before === undefined || role === before) return;
        void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
      },
    ),
  );
  onCleanup(() => setAuthority(undefined));
  return <Loaded query={current}>{() => props.children}</Loaded>;
}

/**
 * Replaces a browser language that no Intl function accepts: Chromium in the POSIX locale names `en-US@posix`, and the
 * library that draws charts passes it to Intl while it loads.
 */
function ensureValidLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: LANGUAGE });
  }
}
