import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useId, useRef } from "react";
import { Banner } from "~/components/banner";
import { ChoiceField } from "~/components/choice-field";
import { CopyableCode } from "~/components/copyable-code";
import { Plus } from "lucide-react";
import { TextField } from "~/components/text-field";
import { ExactTime } from "~/components/timestamp";
import { IntentButton } from "~/components/intent-button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "~/components/ui/card";
import { Checkbox } from "~/components/ui/checkbox";
import {
  Field,
  FieldContent,
  FieldDescription,
  FieldError,
  FieldGroup,
  FieldLabel,
  FieldLegend,
  FieldSet,
} from "~/components/ui/field";
import { tokenMessages as copy } from "~/content/tokens";
import { linkTo, type UrlState } from "~/http/list-state";
import { toMaxLength } from "~/lib/max-length";
import { paths } from "~/paths";
import { DEFAULT_LIFE, LIVES, type Life, type Scope } from "~/services/api-tokens/token";
import type { TokenAnswer } from "./actions.server";

interface NewTokenFormProps {
  /** The order and the page of the list under it. */
  list: UrlState;
  /** The response to the form; undefined when nothing was sent. */
  answer: Extract<TokenAnswer, { kind: "refused" }> | undefined;
  /** The scopes this person can grant. */
  scopes: readonly Scope[];
}

export function NewTokenForm({ list, answer, scopes }: NewTokenFormProps) {
  const isCreating = useNavigation().formData?.get("intent") === "create";
  const titleId = useId();
  const life = LIVES.find((known) => known === answer?.values.life) ?? DEFAULT_LIFE;

  return (
    <Card role="region" aria-labelledby={titleId}>
      <CardHeader>
        <CardTitle id={titleId}>{copy.newTitle}</CardTitle>
        <CardDescription>{copy.newNote}</CardDescription>
      </CardHeader>
      <CardContent>
        <Form
          method="post"
          action={linkTo(paths.tokens, list)}
          className="grid items-start gap-x-6 gap-y-4 md:grid-cols-[minmax(0,22rem)_10rem_minmax(0,1fr)]"
        >
          <TextField
            label={copy.name}
            error={answer?.errors.name}
            name="name"
            maxLength={toMaxLength(100)}
            autoComplete="off"
            placeholder={copy.namePlaceholder}
            defaultValue={answer?.values.name}
          />
          <ChoiceField
            name="life"
            label={copy.expires}
            error={answer?.errors.life}
            value={life}
            choices={copy.lives satisfies Record<Life, string>}
          />
          <Scopes offered={scopes} selected={answer?.values.scopes ?? []} error={answer?.errors.scopes} />
          <IntentButton
            intent="create"
            variant="default"
            disabled={isCreating}
            className="justify-self-start"
          >
            <Plus aria-hidden />
            {isCreating ? copy.making : copy.make}
          </IntentButton>
        </Form>
      </CardContent>
    </Card>
  );
}

interface ScopesProps {
  offered: readonly Scope[];
  selected: readonly string[];
  error: string | undefined;
}

function Scopes({ offered, selected, error }: ScopesProps) {
  const id = useId();
  return (
    <FieldSet className="gap-1.5 md:col-span-3" aria-describedby={error ? `${id}-error` : undefined}>
      <FieldLegend>{copy.scopesTitle}</FieldLegend>
      <FieldGroup className="grid gap-x-6 gap-y-1 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
        {offered.map((scope) => (
          <Field key={scope} orientation="horizontal" className="py-1.5 pointer-coarse:py-2.5">
            <Checkbox
              id={`${id}-${scope}`}
              name="scopes"
              value={scope}
              defaultChecked={selected.includes(scope)}
              aria-invalid={error ? true : undefined}
              aria-describedby={`${id}-${scope}-hint`}
              className="mt-0.5"
            />
            <FieldContent>
              <FieldLabel htmlFor={`${id}-${scope}`} className="flex-wrap gap-x-1.5 gap-y-0">
                {copy.scopes[scope].name}{" "}
                <code className="font-mono text-xs font-normal text-muted-foreground">{scope}</code>
              </FieldLabel>
              <FieldDescription id={`${id}-${scope}-hint`}>{copy.scopes[scope].hint}</FieldDescription>
            </FieldContent>
          </Field>
        ))}
      </FieldGroup>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
    </FieldSet>
  );
}

/** Shows a token once. It stays until the next page, because copying it to another program takes a while. */
export function TokenBanner({ issued }: { issued: Extract<TokenAnswer, { kind: "issued" }> }) {
  const { token, name, expiresAt } = issued;
  const banner = useRef<HTMLDivElement>(null);
  // The frame would focus the button of the emptied form.
  useEffect(() => banner.current?.focus(), []);
  return (
    <Banner ref={banner} kind="success" title={<bdi>{copy.made(name)}</bdi>}>
      <CopyableCode text={token} />
      <p>
        {copy.madeAdvice}{" "}
        {expiresAt === undefined ? (
          copy.madeForever
        ) : (
          <>
            {copy.madeUntil} <ExactTime at={expiresAt} />.
          </>
        )}
      </p>
    </Banner>
  );
}
