import { useBeforeLeave } from "@solidjs/router";
import { createSignal, onCleanup, onMount } from "solid-js";
import { type Sent, upload } from "../../../api/upload.ts";
import { newCampaign } from "../../../texts/index.ts";
import { confirm } from "../../../ui/confirm.tsx";
import type { ContactList } from "./contact-list.ts";

const t = newCampaign.upload;

/** Creates an upload of lists. It warns before the page is left during the upload. */
export function createUpload() {
  const [sent, setSent] = createSignal<Sent>();
  let stop: AbortController | undefined;

  useBeforeLeave((leaving) => {
    if (!sent() || leaving.defaultPrevented) return;
    leaving.preventDefault();
    const question = { title: t.leaveTitle, body: t.leaveBody, verb: t.leaveVerb, danger: true };
    void confirm(question).then((isSure) => {
      if (!isSure) return;
      stop?.abort();
      leaving.retry(true);
    });
  });
  onMount(() => {
    const guard = (event: BeforeUnloadEvent) => sent() && event.preventDefault();
    addEventListener("beforeunload", guard);
    onCleanup(() => {
      removeEventListener("beforeunload", guard);
      stop?.abort();
    });
  });

  return {
    sent,
    cancel: () => stop?.abort(),
    /**
     * Sends a list with these fields. @returns the response; undefined if the upload was canceled. @throws ApiFailure
     */
    async send<T>(path: string, fields: [string, string][], list: ContactList): Promise<T | undefined> {
      const watched = new AbortController();
      stop = watched;
      const { signal } = watched;
      setSent({ sent: 0, total: 0 });
      try {
        return await upload<T>(path, list.form(fields), { progress: setSent, signal });
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      } finally {
        setSent(undefined);
      }
    },
  };
}

export type Uploading = ReturnType<typeof createUpload>;
