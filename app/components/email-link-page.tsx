import type { ReactNode } from "react";
import { Logo } from "~/components/logo";
import { ButtonLink } from "~/components/button-link";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { messages } from "~/content/messages";
import { paths } from "~/paths";

/** The page that a link in an email leads to: one question, or one result. */
export function EmailLinkPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col justify-center gap-6 px-5 py-16">
      <Logo className="text-xl" />
      <Card>
        <CardHeader className="px-6 pt-6 sm:px-8 sm:pt-8">
          <CardTitle asChild className="font-display text-3xl font-normal tracking-tight">
            <h1>{title}</h1>
          </CardTitle>
        </CardHeader>
        <CardContent className="flex flex-col gap-5 p-6 pt-4 text-base sm:p-8 sm:pt-4">
          {children}
        </CardContent>
      </Card>
    </main>
  );
}

export function LandingLink() {
  return (
    // A new document: where a deploy has replaced the scripts, Remix would load this page again, and send its form.
    <ButtonLink to={paths.landing} reloadDocument size="lg" className="self-start">
      {messages.toLanding}
    </ButtonLink>
  );
}
