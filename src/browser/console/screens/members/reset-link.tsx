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
  const title = () => t.reset.title(props.member.name || props.member.email);
  const create = () =>
    confirmed({ title: title(), body: t.reset.body, verb: t.reset.verb }, async () => {
      const path = { id: props.member.id };
      setCreated(await data(api.POST("/api/v1/members/{id}/reset-link", { params: { path } })));
    });
  return (
    <>
      <Button needs="createResetLink" small onClick={() => void create()}>
        {t.reset.action}
      </Button>
      <Show when={created()}>
        {(link) => (
          <LinkOnce
            title={title()}
            label={t.reset.link}
            to={props.member.email}
            link={link()}
            onClose={() => setCreated(undefined)}
          />
        )}
      </Show>
    </>
  );
}
