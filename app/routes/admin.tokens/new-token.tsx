import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useId, useRef } from "react";
import { Banner } from "~/components/banner";
import { ChoiceField } from "~/components/choice-field";
import { CopyButton } from "~/components/copy-button";
import { FieldError } from "~/components/field";
import { Plus } from "lucide-react";
import { TextField } from "~/components/text-field";
import { IntentButton } from "~/components/intent-button";
import { tokenMessages as copy } from "~/content/tokens";
import { utcTime } from "~/lib/format-time";
import { paths } from "~/paths";
import { DEFAULT_LIFE, LIVES, type Life, type Scope } from "~/services/api-tokens/token";
import type { TokenAnswer } from "./actions.server";

interface NewTokenFormProps {
  /** The response to the form; undefined when nothing was sent. */
  answer: Extract<TokenAnswer, { kind: "refused" }> | undefined;
  /** The scopes this person can grant. */
  scopes: readonly Scope[];
}

export function NewTokenForm({ answer, scopes }: NewTokenFormProps) {
  const isMaking = useNavigation().formData?.get("intent") === "make";
  const titleId = useId();
  const life = LIVES.find((known) => known === answer?.values.life) ?? DEFAULT_LIFE;

  return (
    <section aria-labelledby={titleId} className="rounded-lg border bg-card p-4">
      <h2 id={titleId} className="text-sm font-semibold">
        {copy.newTitle}
      </h2>
      <p className="mt-1 text-xs text-muted-foreground">{copy.newNote}</p>
      <Form
        method="post"
        action={paths.tokens}
        className="mt-4 grid items-start gap-x-6 gap-y-4 md:grid-cols-[minmax(0,22rem)_10rem_minmax(0,1fr)]"
      >
        <TextField
          label={copy.name}
          error={answer?.errors.name}
          name="name"
          maxLength={200}
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
        <IntentButton intent="make" variant="default" disabled={isMaking} className="justify-self-start">
          <Plus aria-hidden />
          {isMaking ? copy.making : copy.make}
        </IntentButton>
      </Form>
    </section>
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
    <fieldset className="min-w-0 md:col-span-3" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 text-sm font-medium">{copy.scopesTitle}</legend>
      <div className="grid gap-x-6 gap-y-1 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
        {offered.map((scope) => (
          <div key={scope} className="flex items-start gap-2.5 py-1.5 pointer-coarse:py-2.5">
            <input
              type="checkbox"
              id={`${id}-${scope}`}
              name="scopes"
              value={scope}
              defaultChecked={selected.includes(scope)}
              aria-invalid={error ? true : undefined}
              aria-describedby={`${id}-${scope}-hint`}
              className="mt-0.5 size-4 shrink-0 accent-primary"
            />
            <div className="min-w-0">
              <label htmlFor={`${id}-${scope}`} className="font-medium">
                {copy.scopes[scope].name}{" "}
                <code className="font-mono text-xs font-normal text-muted-foreground">{scope}</code>
              </label>
              <p id={`${id}-${scope}-hint`} className="text-xs text-muted-foreground">
                {copy.scopes[scope].hint}
              </p>
            </div>
          </div>
        ))}
      </div>
      {error ? (
        <FieldError id={`${id}-error`} className="mt-1.5">
          {error}
        </FieldError>
      ) : null}
    </fieldset>
  );
}

/** Shows a token once. It stays until the next page, because copying it to another program takes a while. */
export function TokenBanner({ issued }: { issued: Extract<TokenAnswer, { kind: "issued" }> }) {
  const { token, name, expiresAt } = issued;
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => banner.current?.focus(), []);
  return (
    <Banner ref={banner} kind="success">
      <p className="font-medium wrap-anywhere">
        <bdi>{copy.made(name)}</bdi>
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <code className="rounded-md border bg-card px-3 py-1.5 font-mono text-sm wrap-anywhere select-all">
          {token}
        </code>
        <CopyButton text={token} />
      </div>
      <p className="mt-2">
        {copy.madeAdvice}{" "}
        {expiresAt === undefined ? (
          copy.madeForever
        ) : (
          <>
            {copy.madeUntil} <time dateTime={new Date(expiresAt).toISOString()}>{utcTime(expiresAt)}</time>.
          </>
        )}
      </p>
    </Banner>
  );
}
