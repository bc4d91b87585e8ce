import { data, type MetaFunction } from "@remix-run/node";
import { CenteredCardLayout } from "~/components/centered-card-layout";
import { ButtonLink } from "~/components/button-link";
import { backOfficeTitle } from "~/content/brand";
import { messages } from "~/content/messages";
import { paths } from "~/paths";

const copy = messages.access;

export { serifLinks as links } from "~/fonts/serif-preload";

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.deniedTitle) }];

export function loader() {
  return data(null, { status: 403 });
}

export default function Unauthorized() {
  return (
    <CenteredCardLayout title={copy.deniedTitle} label={copy.unauthorized}>
      <p className="mt-3">{copy.denied}</p>
      <ButtonLink reloadDocument to={paths.landing} size="lg" className="mt-6 w-full">
        {copy.returnHome}
      </ButtonLink>
      <p className="mt-6 border-t pt-5 text-xs text-muted-foreground">{messages.login.help}</p>
    </CenteredCardLayout>
  );
}
