import { createSignal, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { members as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { LinkOnce } from "./link-once.tsx";
import type { Member } from "./queries.ts";

/** Creates a link for setting a member's password, and shows it once. */
export function ResetLink(props: { member: Member }) {
  const [created, setCreated] = createSignal<Body<"ResetLink">>();
  const { id, name, email } = props.member;
  const create = () =>
    confirmed({ title: t.reset.title(name || email), body: t.reset.body, verb: t.reset.verb }, async () => {
      setCreated(await data(api.POST("/api/v1/members/{id}/reset-link", { params: { path: { id } } })));
    });
  return (
    <>
      <Button needs="createResetLink" small onClick={() => void create()}>
        {t.reset.action}
      </Button>
      <Show when={created()}>
        {(link) => (
          <LinkOnce
            title={t.reset.title(name || email)}
            label={t.reset.link}
            to={email}
            link={link()}
            onClose={() => setCreated(undefined)}
          />
        )}
      </Show>
    </>
  );
}
