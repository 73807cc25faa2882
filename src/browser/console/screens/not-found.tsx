import { common } from "../texts/index.ts";
import { LinkButton } from "../ui/button.tsx";
import { Empty } from "../ui/feedback.tsx";
import { Page } from "../ui/page.tsx";

export default function NotFound() {
  return (
    <Page title={common.notFound}>
      <Empty title={common.notFound} action={<LinkButton href="/">{common.back}</LinkButton>}>
        {common.notFoundMore}
      </Empty>
    </Page>
  );
}
