import { data, type MetaFunction } from "@remix-run/node";
import { CenteredCardLayout } from "~/components/centered-card-layout";
import { ButtonLink } from "~/components/button-link";
import { backOfficeTitle } from "~/components/use-brand";
import { messages } from "~/content/messages";
import { paths } from "~/paths";

const copy = messages.access;

export { serifLinks as links } from "~/fonts/serif-preload";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.deniedTitle) }];

export function loader() {
  return data(null, { status: 403 });
}

export default function Unauthorized() {
  return (
    <CenteredCardLayout
      title={copy.deniedTitle}
      label={copy.unauthorized}
      description={copy.denied}
      footer={messages.login.help}
    >
      <ButtonLink reloadDocument to={paths.landing} size="lg" className="w-full">
        {copy.returnHome}
      </ButtonLink>
    </CenteredCardLayout>
  );
}
