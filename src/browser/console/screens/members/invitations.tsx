import { createSignal, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { access, members as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { Loaded, Skeleton } from "../../ui/feedback.tsx";
import { now } from "../../ui/now.ts";
import { Section } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { Badge, Time } from "../../ui/values.tsx";
import { LinkOnce } from "./link-once.tsx";
import { type Invitation, invitationList, type Member, mayGive } from "./queries.ts";

export function Invitations(props: { members: Member[] }) {
  const list = useQuery(invitationList);
  const [sent, setSent] = createSignal<Body<"SentInvitation">>();
  const inviter = (id: string) => {
    const member = props.members.find((each) => each.id === id);
    return member ? member.name || member.email : "–";
  };

  const resend = ({ id, email }: Invitation) =>
    confirmed({ title: t.resend.title(email), body: t.resend.body, verb: t.resend.verb }, async () => {
      setSent(await data(api.POST("/api/v1/invitations/{id}/resend", { params: { path: { id } } })));
      await invalidate("invitations");
    });
  const withdraw = ({ id, email }: Invitation) =>
    confirmed(
      { title: t.withdraw.title(email), body: t.withdraw.body, verb: t.withdraw.verb, danger: true },
      async () => {
        try {
          await data(api.DELETE("/api/v1/invitations/{id}", { params: { path: { id } } }));
          notify(t.withdraw.done(email));
        } finally {
          await invalidate("invitations", "members");
        }
      },
    );

  const columns: Column<Invitation>[] = [
    { header: t.columns.email, cell: ({ email }) => email },
    { header: t.columns.role, cell: ({ role }) => access.roles[role] },
    { header: t.columns.inviter, cell: ({ invited_by }) => inviter(invited_by), minor: true },
    { header: t.columns.expires, cell: (invitation) => <Expiry of={invitation} /> },
    {
      header: t.columns.actions,
      cell: (invitation) => (
        <Show when={mayGive(invitation.role)}>
          <div class="row">
            <Button
              needs="resendInvitation"
              small
              aria-label={t.resend.of(invitation.email)}
              onClick={() => void resend(invitation)}
            >
              {t.resend.action}
            </Button>
            <Button
              needs="deleteInvitation"
              small
              kind="danger"
              aria-label={t.withdraw.of(invitation.email)}
              onClick={() => void withdraw(invitation)}
            >
              {t.withdraw.action}
            </Button>
          </div>
        </Show>
      ),
      numbers: true,
    },
  ];
  return (
    <Section title={t.invitations}>
      <Loaded query={list} skeleton={<Skeleton rows lines={2} />}>
        {(found) => (
          <Table
            label={t.invitations}
            columns={columns}
            rows={found().invitations}
            empty={<p class="muted">{t.noInvitations}</p>}
          />
        )}
      </Loaded>
      <Show when={sent()}>
        {(invitation) => (
          <LinkOnce
            title={t.resend.done(invitation().email)}
            label={t.link.label}
            to={invitation().email}
            link={invitation()}
            onClose={() => setSent(undefined)}
          />
        )}
      </Show>
    </Section>
  );
}

function Expiry(props: { of: Invitation }) {
  return (
    <Show when={Date.parse(props.of.expires_at) > now()} fallback={<Badge tone="warn">{t.expired}</Badge>}>
      <Time at={props.of.expires_at} />
    </Show>
  );
}
