import type { ReactNode } from "react";
import { ThemeChoice } from "~/components/shell/appearance-controls";
import { ListLink } from "~/components/text-link";
import { Card, CardHeader, CardTitle } from "~/components/ui/card";
import { Item, ItemActions, ItemContent, ItemDescription, ItemGroup, ItemTitle } from "~/components/ui/item";
import { accountMessages } from "~/content/account";
import { alertMessages } from "~/content/alerts";
import { secondFactorMessages } from "~/content/second-factor";
import { shellMessages } from "~/content/shell";
import type { Appearance } from "~/http/appearance-cookie.server";
import { paths } from "~/paths";

const copy = accountMessages.more;

/** Links to the other screens of one's own account, and the choice of the theme. */
export function MoreScreens({
  hasSecondFactor,
  theme,
}: {
  hasSecondFactor: boolean;
  theme: Appearance["theme"];
}) {
  const screens = [
    { to: paths.passwordReset, name: "Reset Password", about: copy.password },
    {
      to: paths.secondFactor,
      name: secondFactorMessages.title,
      about: hasSecondFactor ? copy.secondFactorOn : copy.secondFactorOff,
    },
    { to: paths.alerts, name: alertMessages.title, about: copy.alerts },
    { to: paths.sessions, name: "My sessions", about: copy.sessions },
    { to: paths.shortcuts, name: shellMessages.shortcuts.title, about: copy.shortcuts },
  ];
  return (
    <Card role="complementary" aria-labelledby="more-screens">
      <CardHeader className="border-b">
        <CardTitle id="more-screens">{copy.title}</CardTitle>
      </CardHeader>
      <ItemGroup className="divide-y">
        {screens.map(({ to, name, about }) => (
          <Line key={to} title={<ListLink to={to}>{name}</ListLink>} about={about} />
        ))}
        <Line title={copy.theme} about={copy.themeAbout}>
          <ThemeChoice theme={theme} />
        </Line>
      </ItemGroup>
    </Card>
  );
}

function Line({ title, about, children }: { title: ReactNode; about: string; children?: ReactNode }) {
  return (
    <Item asChild size="sm" className="rounded-none">
      <li>
        <ItemContent>
          <ItemTitle>{title}</ItemTitle>
          <ItemDescription className="text-xs">{about}</ItemDescription>
        </ItemContent>
        {children ? <ItemActions>{children}</ItemActions> : null}
      </li>
    </Item>
  );
}
