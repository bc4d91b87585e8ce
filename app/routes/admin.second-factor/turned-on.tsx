import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Card } from "~/components/ui/card";
import { buttonVariants } from "~/components/ui/button";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { Refusal } from "./refusal";
import type { Refused } from "./refusal";

const copy = operatorMessages.secondFactor.on;
/** From here on it is time to make new ones. */
const FEW = 3;

interface TurnedOnProps {
  recoveryCodesLeft: number;
  isRequired: boolean;
  refused: Refused | undefined;
}

export function TurnedOn({ recoveryCodesLeft, isRequired, refused }: TurnedOnProps) {
  const isFew = recoveryCodesLeft <= FEW;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Refusal refused={refused} />
      <Card className="divide-y">
        <Line title={copy.appTitle} link={isRequired ? null : <StepLink step="turn-off" />}>
          {copy.app} {isRequired ? copy.required : copy.newPhone}
        </Line>
        <Line title={copy.title} link={<StepLink step="renew" />}>
          <span className={cn(isFew && "font-medium text-warning")}>
            {copy.left(recoveryCodesLeft)} {isFew ? copy.fewLeft : null}
          </span>{" "}
          {copy.explains}
        </Line>
      </Card>
    </div>
  );
}

function Line({ title, link, children }: { title: string; link: ReactNode; children: ReactNode }) {
  return (
    <section className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4 sm:px-6">
      <div className="min-w-0 flex-1 basis-72">
        <h2 className="font-semibold">{title}</h2>
        <p className="mt-1 max-w-[60ch] text-muted-foreground">{children}</p>
      </div>
      {link}
    </section>
  );
}

function StepLink({ step }: { step: "renew" | "turn-off" }) {
  return (
    <Link
      to={`${paths.secondFactor}?step=${step}`}
      preventScrollReset
      className={buttonVariants({ variant: step === "renew" ? "secondary" : "danger", size: "dense" })}
    >
      {step === "renew" ? copy.renew : copy.turnOff}
    </Link>
  );
}
