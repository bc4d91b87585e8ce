import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData, useNavigationType } from "@remix-run/react";
import { useState } from "react";
import { ButtonLink } from "~/components/button-link";
import { EmailPreview } from "~/components/email-preview";
import { EmptyList } from "~/components/empty-list";
import { keepForm, toUnanswered } from "~/components/keep-form";
import { Notice, useNotice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { Timestamp } from "~/components/timestamp";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { backOfficeTitle } from "~/components/use-brand";
import { useLast } from "~/components/use-last";
import { templateMessages as copy } from "~/content/templates";
import { linkTo } from "~/http/list-state";
import { paths } from "~/paths";
import { access, campaignFields, emailPreviews, templates } from "~/services/container.server";
import { getTemplateHash, type Template } from "~/services/outreach/templates.server";
import { actOnTemplate } from "./actions.server";
import { TemplateForm, type OpenedTemplate } from "./template-form";

/** The id in the address of the form for a new one. */
const NEW = "new";

const EMPTY = { name: "", title: "", message: "", format: "markdown" } as const;

export const meta: MetaFunction<typeof loader> = ({ data: view, matches }) => [
  { title: backOfficeTitle(matches, view ? getTitle(view) : copy.title) },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const { id = "" } = params;
  const [template, defaults] = await Promise.all([templates.find(id), templates.listDefaults()]);
  const isWhole = template && template.title !== "" && template.message !== "";
  const view = {
    isNew: id === NEW,
    page: paths.template(id),
    opened: toOpened(template, defaults),
    lastChange: template && { by: template.changed_by, at: template.changed_at },
    email: isWhole ? await emailPreviews.previewTemplateText(template.id) : undefined,
    defaults,
    fields: campaignFields,
    now: Date.now(),
  };
  return data(view, { status: template || view.isNew ? 200 : 404 });
}

function toOpened(
  template: Template | undefined,
  defaults: readonly { audience: string; id: string }[],
): OpenedTemplate {
  if (!template) return { id: undefined, values: EMPTY, groups: [], contentHash: "" };
  const { id, name, title, message, format } = template;
  const values = { name, title, message, format };
  const groups = defaults.filter((each) => each.id === id).map(({ audience }) => audience);
  return { id, values, groups, contentHash: getTemplateHash(values) };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  return actOnTemplate(params.id ?? "", request, operator);
}

export const clientAction = keepForm(() => ({ form: "template", message: copy.notSaved }));

/** One template: its form, and the email as saved. */
export default function TemplatePage() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { isNew, page, opened, lastChange, email, defaults, fields, now } = view;
  const refused = toUnanswered(answer) ? undefined : answer;
  // A save fills the form again by a new key. It keeps what was typed while the page loads its data again, also by Back, even if
  // the template was changed or deleted since.
  const isBack = useNavigationType() === "POP";
  const isSaved = useNotice(["template-saved"]) !== undefined && !isBack;
  const key = `${page} ${useLast(isSaved ? [opened.contentHash, ...opened.groups].join(" ") : undefined)}`;
  const [form, setForm] = useState({ key, opened });
  if (form.key !== key) setForm({ key, opened });
  const hasForm = isNew || form.opened.id !== undefined || answer !== undefined;
  return (
    <>
      <PageHeader
        title={getTitle(view)}
        parent={{ to: paths.templates, name: copy.title }}
        state={
          lastChange ? (
            <>
              {copy.editState} <bdi>{copy.savedBy(lastChange.by)}</bdi>,{" "}
              <Timestamp at={lastChange.at} now={now} />.
            </>
          ) : undefined
        }
        actions={
          opened.id === undefined ? undefined : (
            <ButtonLink to={linkTo(paths.templates, { delete: opened.id })} variant="destructive">
              {copy.delete}
            </ButtonLink>
          )
        }
      />
      <Notice className="mb-4" />
      {hasForm ? (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
          <Card>
            <CardContent>
              <TemplateForm
                key={key}
                page={page}
                opened={form.opened}
                refused={refused}
                defaults={defaults}
                fields={fields}
                now={now}
              />
            </CardContent>
          </Card>
          <Card role="region" aria-labelledby="email-preview">
            <CardHeader>
              <CardTitle asChild>
                <h2 id="email-preview">{copy.previewTitle}</h2>
              </CardTitle>
            </CardHeader>
            <CardContent className="pt-1">
              {email && opened.id !== undefined ? (
                <EmailPreview source={paths.templateEmail(opened.id)} email={email} />
              ) : (
                <p className="text-muted-foreground">{copy.noPreview}</p>
              )}
            </CardContent>
          </Card>
        </div>
      ) : (
        <EmptyList
          title={copy.goneTitle}
          description={copy.gone}
          action={{ to: paths.templates, name: copy.toList }}
        />
      )}
    </>
  );
}

function getTitle({ isNew, opened }: { isNew: boolean; opened: OpenedTemplate }): string {
  if (isNew) return copy.newTitle;
  return opened.id === undefined ? copy.goneTitle : opened.values.name;
}

export { Failure as ErrorBoundary } from "~/components/failure";
