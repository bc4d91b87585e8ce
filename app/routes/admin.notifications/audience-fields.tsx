import { useId, useRef } from "react";
import { CircleAlert } from "~/components/icons";
import { Field } from "~/components/field";
import { Select } from "~/components/ui/select";
import type { FieldErrors } from "~/lib/parse-form";
import { operatorMessages } from "~/content/operator-messages";
import { AUDIENCES } from "~/services/broadcast/audience";
import type { NotificationValues } from "./fields";
import type { NotificationsView } from "./notifications-view.server";

const { notifications: copy, platform } = operatorMessages;

type AudienceFieldsProps = Pick<NotificationsView, "companies" | "sizes" | "forPlatform"> & {
  values: NotificationValues;
  errors: FieldErrors<keyof NotificationValues & string>;
};

/**
 * Whom it is for. The companies show for the application audience alone, by CSS; choosing an audience resets them, and
 * without JavaScript the server leaves a company aside that does not belong to its audience.
 */
export function AudienceFields({ values, errors, companies, sizes, forPlatform }: AudienceFieldsProps) {
  const company = useRef<HTMLSelectElement>(null);
  const errorId = useId();
  const sizeOf = (audience: (typeof AUDIENCES)[number]) => {
    const own = copy.size(sizes[audience]);
    if (!forPlatform.includes(audience)) return own;
    return platform.broadcast.size(audience === "application" ? undefined : own);
  };
  const resetCompany = () => {
    if (company.current) company.current.value = "";
  };
  return (
    <fieldset className="group/audience min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{copy.audience}</legend>
      <div className="divide-y rounded-md border" onChange={resetCompany}>
        {AUDIENCES.map((audience) => (
          <label
            key={audience}
            className="flex min-h-11 items-center gap-3 px-3 py-2 first:rounded-t-md last:rounded-b-md hover:bg-muted has-checked:bg-primary-surface"
          >
            <input
              type="radio"
              name="audience"
              value={audience}
              required
              aria-describedby={errors.audience ? errorId : undefined}
              defaultChecked={values.audience === audience}
              className="size-4 shrink-0 accent-primary"
            />
            <span className="min-w-0 flex-1">{copy.audiences[audience]}</span>
            <span className="shrink-0 text-xs text-muted-foreground tabular-nums">{sizeOf(audience)}</span>
          </label>
        ))}
      </div>
      {errors.audience ? (
        <p
          id={errorId}
          className="mt-1.5 flex items-start gap-1.5 text-xs font-medium text-danger group-has-[input[type=radio]:checked]/audience:hidden"
        >
          <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          {errors.audience}
        </p>
      ) : null}
      <div className="mt-4 hidden group-has-[input[value=application]:checked]/audience:block">
        <Field
          label={copy.company}
          error={errors.tenant}
          {...(companies ? {} : { hint: copy.companiesFailed })}
        >
          {(control) => (
            <Select {...control} ref={company} size="dense" name="tenant" defaultValue={values.tenant}>
              <option value="">{copy.allCompanies}</option>
              {(companies ?? []).map(({ id, name, domain }) => (
                <option key={id} value={id}>
                  {copy.companyName(name, domain)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </fieldset>
  );
}
