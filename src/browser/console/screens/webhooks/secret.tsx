import { webhooks as t } from "../../texts/index.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Section } from "../../ui/page.tsx";
import { SecretOnce } from "../../ui/secret-once.tsx";

/** Code for the first lines of a receiver. The guide has a complete one. */
const VERIFY = `import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.SWITCHBOARD_WEBHOOK_SECRET);
// Pass the raw body, before it is parsed. Throws if the signature is invalid.
const event = webhook.verify(body, request.headers);`;

/** A signing secret, shown once, and how to use it. */
export function NewSecret(props: { secret: string }) {
  return (
    <>
      <SecretOnce label={t.secret} secret={props.secret} />
      <Section title={t.verify}>
        <p class="muted">{t.verifyLead}</p>
        <CodeBlock label={t.verify} code={VERIFY} />
        <Guide />
      </Section>
    </>
  );
}

/** Link to the guide for receivers. */
export function Guide() {
  return (
    <a href="/docs/guides/webhooks" rel="external">
      {t.guide}
    </a>
  );
}
