import { signOut } from "../session/sign-out.ts";
import { shell as t } from "../texts/index.ts";
import { switchTheme, theme } from "../ui/theme.ts";
import { ACCOUNT_SCREENS, OPERATOR_SCREENS } from "./screens.ts";

/** Something the command palette leads to, or does. */
export type Command = { id: string; title: string; kind: string } & (
  | { href: string; run?: never }
  | { href?: never; run: () => void }
);

/** Everything there is to go to and to do. */
export function commands(isOperator: boolean): Command[] {
  const screens = (isOperator ? OPERATOR_SCREENS : ACCOUNT_SCREENS).flatMap((group) => group.screens);
  return [
    ...screens.map(({ title, href }) => ({ id: href, title, kind: "", href })),
    { id: "theme", title: t.theme[theme()], kind: "", run: switchTheme },
    { id: "sign-out", title: t.signOut, kind: "", run: () => void signOut() },
  ];
}
