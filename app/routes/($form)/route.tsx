import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData, useParams, useSearchParams } from "@remix-run/react";
import type { ShouldRevalidateFunction } from "@remix-run/react";
import { useState } from "react";
import { keepForm } from "~/components/keep-form";
import { getBrand } from "~/components/use-brand";
import { useInert } from "~/components/use-inert";
import { getLandingTexts } from "~/content/landing";
import { landingMeta } from "~/discovery/landing-meta";
import { seeOther } from "~/http/redirects.server";
import logo from "~/images/icon-512.png";
import card from "~/images/social-card.png";
import { paths } from "~/paths";
import { asksHeardFrom, origin, pushSettings, signups } from "~/services/container.server";
import { About } from "./about";
import { Building } from "./building";
import { Contact } from "./contact";
import { Faqs } from "./faqs";
import { Features } from "./features";
import { Footer } from "./footer";
import { submitForm } from "./forms/actions.server";
import {
  getUnansweredForm,
  isFormName,
  THANKS_CODE,
  type FormAnswer,
  type FormName,
  type FormState,
} from "./forms/forms";
import { EarlyAccessDialog, UpdatesDialog } from "./forms/signup-dialogs";
import { Hero } from "./hero";
import { Push } from "./push/push";
import { ScrollButtons } from "./scroll-buttons";
import { TopNavigation } from "./top-navigation";
import { useTexts } from "./use-texts";

export const meta: MetaFunction<typeof loader> = ({ data: page, matches, params: { form } }) => {
  const brand = getBrand(matches);
  if (!page || !brand) return [];
  const texts = getLandingTexts(brand);
  return landingMeta({
    brand,
    texts,
    origin: page.origin,
    images: { card, logo },
    ...(isFormName(form) && { form: texts.forms[form] }),
  });
};

export { serifLinks as links } from "~/fonts/serif-preload";
export { passActionHeaders as headers } from "~/http/action-result.server";

const isLanding = (form: string | undefined) => form === undefined || isFormName(form);

/** The four addresses are one page: opening or closing a dialog requests nothing from the server. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ nextParams }) => !isLanding(nextParams.form);

/** Returns nothing specific to a visitor: the page is the same for all. */
export function loader({ params }: LoaderFunctionArgs) {
  if (!isLanding(params.form)) return seeOther(paths.landing);
  return data({
    stamp: signups.stampForm(),
    earlyAccessNeedsConfirmation: signups.needsConfirmation("early-access"),
    updatesNeedConfirmation: signups.needsConfirmation("updates-signup"),
    asksHeardFrom,
    origin,
    push: pushSettings,
  });
}

export async function action({ request, params }: ActionFunctionArgs) {
  if (!isFormName(params.form)) return seeOther(paths.landing);
  return submitForm(params.form, request);
}

export const clientAction = keepForm(getUnansweredForm);

/** The landing page; its address decides whether a dialog is open or the contact section has the focus. */
export default function Landing() {
  const { stamp, asksHeardFrom, push, ...page } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { navigation } = useTexts();
  const { form: addressedForm } = useParams();
  const [search] = useSearchParams();
  const isThanked = (form: FormName) => form === addressedForm && search.get("notice") === THANKS_CODE;
  const contactAnswer = useKeptAnswer("contact", answer, isThanked("contact"));
  const getFormState = (form: FormName): FormState => {
    const refused = form === "contact" ? contactAnswer : form === addressedForm ? answer : undefined;
    return { stamp: refused?.stamp ?? stamp, answer: refused, thanked: isThanked(form) };
  };
  const hasDialog = addressedForm === "early-access" || addressedForm === "updates";
  const inert = useInert(hasDialog);
  return (
    <>
      <div {...inert} className="wrap-anywhere">
        <a
          href="#content"
          className="sr-only rounded-md bg-primary px-4 py-3 text-primary-foreground focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-40"
        >
          {navigation.skip}
        </a>
        <TopNavigation />
        <main id="content" className="text-base">
          <ScrollButtons />
          <Hero />
          <About />
          <Features />
          <Building />
          <Faqs />
          <Contact state={getFormState("contact")} isAddressed={addressedForm === "contact"} />
        </main>
        <Footer />
        <Push settings={push} />
      </div>
      {addressedForm === "early-access" ? (
        <EarlyAccessDialog
          state={getFormState("early-access")}
          needsConfirmation={page.earlyAccessNeedsConfirmation}
          asksHeardFrom={asksHeardFrom}
        />
      ) : null}
      {addressedForm === "updates" ? (
        <UpdatesDialog state={getFormState("updates")} needsConfirmation={page.updatesNeedConfirmation} />
      ) : null}
    </>
  );
}

/**
 * Returns the latest answer to a form that stays on the page, until it is thanked for. Remix drops an answer with the next link,
 * also to a place on the page, and with it what was typed.
 */
function useKeptAnswer(
  form: FormName,
  answer: FormAnswer | undefined,
  isThanked: boolean,
): FormAnswer | undefined {
  const [kept, setKept] = useState<FormAnswer>();
  const isNew = answer?.form === form;
  const now = isThanked ? undefined : isNew ? answer : kept;
  if (now !== kept) setKept(now);
  return now;
}
