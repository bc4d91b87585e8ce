import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ButtonLink } from "~/components/button-link";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { backOfficeTitle } from "~/components/use-brand";
import { automaticMessages as copy } from "~/content/automatic";
import { paths } from "~/paths";
import { access, automaticEmails, automaticRules } from "~/services/container.server";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const [rules, counts] = await Promise.all([automaticRules.list(), automaticEmails.countEmails()]);
  return {
    rules: rules.map(({ rule, isOn, content, saved }) => ({
      rule,
      isOn,
      subject: content.subject,
      saved,
      counts: counts[rule],
    })),
    now: Date.now(),
  };
}

/** Lists the emails that answer a form by themselves. */
export default function Automatic() {
  const { rules, now } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title={copy.title} state={copy.state} />
      <Notice className="mb-4" />
      <ul className="divide-y rounded-lg border bg-card">
        {rules.map(({ rule, isOn, subject, saved, counts }) => (
          <li key={rule} data-row className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-4">
            <div className="flex min-w-0 flex-1 basis-80 flex-col gap-1">
              <h2 className="flex items-center gap-2 font-semibold">
                <Link to={paths.automaticRule(rule)} className="underline-offset-4 hover:underline">
                  {copy.rules[rule].name}
                </Link>
                <Badge variant={isOn ? "success" : "secondary"}>{copy.states[isOn ? "on" : "off"]}</Badge>
              </h2>
              <p className="max-w-[42.9em] text-sm text-muted-foreground">{copy.rules[rule].when}</p>
              <p className="text-sm wrap-anywhere">
                <bdi>{subject}</bdi>
              </p>
              <p className="text-xs text-muted-foreground">
                {copy.counts(counts) || copy.none}{" "}
                {saved ? (
                  <>
                    <bdi>{copy.savedBy(saved.by)}</bdi>, <Timestamp at={saved.at} now={now} />.
                  </>
                ) : (
                  `${copy.ownText}.`
                )}
              </p>
            </div>
            <ButtonLink to={paths.automaticRule(rule)} aria-label={copy.editRule(copy.rules[rule].name)}>
              {copy.edit}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
