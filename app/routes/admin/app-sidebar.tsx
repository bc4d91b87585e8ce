import { Form, Link, useLocation } from "@remix-run/react";
import { LogOut, PanelLeftClose, PanelLeftOpen } from "lucide-react";
import {
  Sidebar,
  SidebarContent,
  SidebarFooter,
  SidebarGroup,
  SidebarHeader,
  SidebarMenu,
  SidebarMenuBadge,
  SidebarMenuButton,
  SidebarMenuItem,
  SidebarSeparator,
} from "~/components/ui/sidebar";
import { shellMessages } from "~/content/shell";
import type { Appearance } from "~/http/appearance-cookie.server";
import { paths } from "~/paths";
import { AppearanceForm, ThemeChoice } from "~/components/shell/appearance-controls";
import type { Entry } from "~/components/shell/navigation";
import { OperatorLine, type Operator } from "./top-bar";

type AppSidebarProps = { operator: Operator; entries: readonly Entry[]; appearance: Appearance };

/** The screens, and on small screens what the top bar has no room for. */
export function AppSidebar({ operator, entries, appearance }: AppSidebarProps) {
  const own = entries.filter(({ isOurs }) => isOurs);
  const current = findCurrent(entries, useLocation().pathname);
  return (
    <Sidebar className="top-12 max-md:max-h-[calc(100dvh-3rem)] md:h-[calc(100dvh-4.75rem)]">
      <SidebarHeader className="px-6 pb-0 md:hidden">
        <OperatorLine operator={operator} className="flex" />
      </SidebarHeader>
      <SidebarContent>
        <nav aria-label="Back office">
          <Entries entries={entries.filter(({ isOurs }) => !isOurs)} current={current} />
          {own.length > 0 ? (
            <>
              <SidebarSeparator />
              <Entries entries={own} current={current} />
            </>
          ) : null}
        </nav>
      </SidebarContent>
      <SidebarFooter className="max-md:flex-row max-md:items-center max-md:justify-between max-md:gap-3 max-md:border-t">
        <SidebarToggle rail={appearance.rail} />
        <LogoutButton />
        <ThemeChoice theme={appearance.theme} className="md:hidden" />
      </SidebarFooter>
    </Sidebar>
  );
}

/** Returns the entry of the screen: the longest, because the inquiries are one of the tables of submissions. */
function findCurrent(entries: readonly Entry[], pathname: string): Entry | undefined {
  const getPath = ({ to }: Entry) => to.split("?")[0] ?? "";
  const isAbove = (path: string) => pathname === path || pathname.startsWith(`${path}/`);
  return entries
    .filter((entry) => isAbove(getPath(entry)))
    .sort((a, b) => getPath(b).length - getPath(a).length)[0];
}

function Entries({ entries, current }: { entries: readonly Entry[]; current: Entry | undefined }) {
  return (
    <SidebarGroup>
      <SidebarMenu>
        {entries.map(({ to, name, icon: Icon, waiting = 0 }) => (
          <SidebarMenuItem key={to}>
            <SidebarMenuButton asChild>
              <Link to={to} aria-current={to === current?.to ? "page" : undefined}>
                <Icon aria-hidden />
                <span>{name}</span>
                {waiting > 0 ? (
                  <SidebarMenuBadge>
                    {waiting > 999 ? "999+" : waiting}
                    <span className="sr-only"> waiting</span>
                  </SidebarMenuBadge>
                ) : null}
              </Link>
            </SidebarMenuButton>
          </SidebarMenuItem>
        ))}
      </SidebarMenu>
    </SidebarGroup>
  );
}

/** Shown only where the sidebar has room for names: below that width it shows icons anyway. */
function SidebarToggle({ rail }: Pick<Appearance, "rail">) {
  const isWide = rail === "wide";
  const Icon = isWide ? PanelLeftClose : PanelLeftOpen;
  return (
    <AppearanceForm className="max-lg:hidden">
      <SidebarMenuButton type="submit" name="rail" value={isWide ? "narrow" : "wide"}>
        <Icon aria-hidden />
        <span>{isWide ? "Collapse the menu" : "Expand the menu"}</span>
      </SidebarMenuButton>
    </AppearanceForm>
  );
}

/** Posts, because nothing changes on GET. */
function LogoutButton() {
  return (
    <Form method="post" action={paths.logout}>
      <SidebarMenuButton type="submit">
        <LogOut aria-hidden />
        <span>{shellMessages.logout}</span>
      </SidebarMenuButton>
    </Form>
  );
}
