import { useBeforeLeave } from "@solidjs/router";
import { createSignal, onCleanup, onMount } from "solid-js";
import { type Sent, upload } from "../../../api/upload.ts";
import { newCampaign } from "../../../texts/index.ts";
import { confirm } from "../../../ui/confirm.tsx";
import type { ContactList } from "./contact-list.ts";

const t = newCampaign.upload;

/** How far an upload is: what is left out is taken out of the file first. */
export type Stage = { kind: "preparing"; share: number } | ({ kind: "sending" } & Sent);

/** Uploads lists, and says so before somebody leaves the page meanwhile. */
export function createUpload() {
  const [stage, setStage] = createSignal<Stage>();
  let stop: AbortController | undefined;

  useBeforeLeave((leaving) => {
    if (!stage() || leaving.defaultPrevented) return;
    leaving.preventDefault();
    const question = { title: t.leaveTitle, body: t.leaveBody, verb: t.leaveVerb, danger: true };
    void confirm(question).then((isSure) => {
      if (!isSure) return;
      stop?.abort();
      leaving.retry(true);
    });
  });
  onMount(() => {
    const guard = (event: BeforeUnloadEvent) => stage() && event.preventDefault();
    addEventListener("beforeunload", guard);
    onCleanup(() => {
      removeEventListener("beforeunload", guard);
      stop?.abort();
    });
  });

  return {
    stage,
    cancel: () => stop?.abort(),
    /** Sends a list with these fields. @returns the answer; undefined where it was cancelled. @throws ApiFailure */
    async send<T>(path: string, fields: [string, string][], list: ContactList): Promise<T | undefined> {
      const watched = new AbortController();
      stop = watched;
      const { signal } = watched;
      setStage({ kind: "preparing", share: 0 });
      try {
        const form = await list.form(fields, { progress: (share) => setStage({ kind: "preparing", share }), signal });
        const progress = ({ sent, total }: Sent) => setStage({ kind: "sending", sent, total });
        return await upload<T>(path, form, { progress, signal });
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      } finally {
        setStage(undefined);
      }
    },
  };
}

export type Uploading = ReturnType<typeof createUpload>;
