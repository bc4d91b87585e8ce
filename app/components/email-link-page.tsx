import type { ReactNode } from "react";
import { Logo } from "~/components/logo";
import { ButtonLink } from "~/components/button-link";
import { messages } from "~/content/messages";
import { paths } from "~/paths";

/** The page that a link in an email leads to: one question, or one result. */
export function EmailLinkPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col justify-center gap-6 px-5 py-16">
      <Logo className="text-xl" />
      <section className="rounded-lg border bg-card p-6 sm:p-8">
        <h1 className="font-display text-3xl tracking-tight">{title}</h1>
        <div className="mt-4 flex flex-col gap-5 text-base">{children}</div>
      </section>
    </main>
  );
}

export function LandingLink() {
  return (
    <ButtonLink to={paths.landing} size="lg" className="self-start">
      {messages.toLanding}
    </ButtonLink>
  );
}
