import { Router } from "@solidjs/router";
import { QueryClientProvider } from "@tanstack/solid-query";
import { Show } from "solid-js";
import { render } from "solid-js/web";
import { queries } from "./api/queries.ts";
import { Routes } from "./routes.tsx";
import { adoptSession, isEnded, session } from "./session/session.ts";
import { SessionEnded } from "./session/session-ended.tsx";
import { SignIn } from "./session/sign-in.tsx";
import { Layout } from "./shell/layout.tsx";
import "./ui/tokens.css";
import "./ui/base.css";
import { ConfirmHost } from "./ui/confirm.tsx";
import { applyTheme } from "./ui/theme.ts";
import { Toasts } from "./ui/toast.tsx";

function Console() {
  applyTheme();
  return (
    <QueryClientProvider client={queries}>
      <Show when={session()?.account} keyed fallback={<SignIn />}>
        <Router base="/console" root={Layout}>
          <Routes />
        </Router>
        <Show when={isEnded()}>
          <SessionEnded />
        </Show>
      </Show>
      <ConfirmHost />
      <Toasts />
    </QueryClientProvider>
  );
}

const place = document.getElementById("console");
if (place) {
  await adoptSession();
  render(Console, place);
}
