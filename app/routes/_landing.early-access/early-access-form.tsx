import { Form } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { brand } from "~/brand";
import { Banner } from "~/components/banner";
import { DialogPage } from "~/components/dialog-page";
import { Field } from "~/components/field";
import { Button } from "~/components/ui/button";
import { Input } from "~/components/ui/input";
import { Select } from "~/components/ui/select";
import { paths } from "~/paths";
import { EARLY_ACCESS_CONSENT } from "./consent";
import { EarlyAccessThanks } from "./early-access-thanks";

type FieldName = "name" | "email" | "company" | "role";

type EarlyAccessFormProps = {
  /** The signed render time; goes back with the form. */
  stamp: string;
  values: Record<FieldName, string>;
  errors: Partial<Record<FieldName, string>>;
  /** One sentence for a failure that belongs to no field. */
  failure?: string;
  done: boolean;
  busy: boolean;
};

/** The early access dialog over the landing page. */
export function EarlyAccessForm({ stamp, values, errors, failure, done, busy }: EarlyAccessFormProps) {
  if (done) return <EarlyAccessThanks />;
  return (
    <DialogPage
      title="Sign Up for Early Access"
      description={`Be among the first teams to try ${brand.name}. The beta is about six months away.`}
      closeTo={paths.landing}
    >
      <SignupForm stamp={stamp} values={values} errors={errors} failure={failure} busy={busy} />
    </DialogPage>
  );
}

function SignupForm({ stamp, values, errors, failure, busy }: Omit<EarlyAccessFormProps, "done">) {
  const form = useRef<HTMLFormElement>(null);
  const banner = useRef<HTMLDivElement>(null);
  // After a refused submit the reader stands where the trouble is. Each answer brings a new `errors` object.
  useEffect(() => {
    (form.current?.querySelector<HTMLElement>("[aria-invalid=true]") ?? banner.current)?.focus();
  }, [errors, failure]);

  return (
    <Form
      ref={form}
      method="post"
      action={paths.earlyAccess}
      noValidate={false}
      preventScrollReset
      className="flex flex-col gap-5"
    >
      {failure ? (
        <Banner ref={banner} kind="error">
          {failure}
        </Banner>
      ) : null}
      <Field label="Full Name" required error={errors.name}>
        {(control) => (
          <Input {...control} name="name" maxLength={200} autoComplete="name" defaultValue={values.name} />
        )}
      </Field>
      <Field label="Email Address" required hint="Your invitation goes here." error={errors.email}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            maxLength={254}
            autoComplete="email"
            defaultValue={values.email}
          />
        )}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Company"
          required={false}
          hint="So that colleagues are invited together."
          error={errors.company}
        >
          {(control) => (
            <Input
              {...control}
              name="company"
              maxLength={200}
              autoComplete="organization"
              defaultValue={values.company}
            />
          )}
        </Field>
        <Field
          label="Role"
          required={false}
          hint="So that we show you the right part first."
          error={errors.role}
        >
          {(control) => (
            <Select {...control} name="role" defaultValue={values.role}>
              <option value="">Rather not say</option>
              <option value="executive">Executive</option>
              <option value="manager">Manager</option>
              <option value="developer">Developer</option>
              <option value="other">Other</option>
            </Select>
          )}
        </Field>
      </div>
      <input type="hidden" name="stamp" value={stamp} />
      {/* Only programs fill this in. */}
      <div aria-hidden className="absolute size-px overflow-hidden opacity-0">
        <label>
          Website <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <div className="mt-1 border-t pt-5">
        <Button type="submit" disabled={busy} className="w-full">
          {busy ? "Signing Up..." : "Sign Up for Early Access"}
        </Button>
        <p className="mt-4 text-xs text-muted-foreground">{EARLY_ACCESS_CONSENT.wording}</p>
        <p className="mt-2 text-xs text-muted-foreground">
          What happens next: you are on the list at once, and we write when your team’s turn comes.
        </p>
      </div>
    </Form>
  );
}
