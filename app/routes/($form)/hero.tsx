import { ArrowDown } from "lucide-react";
import { buttonVariants } from "~/components/ui/button";
import { cn } from "~/lib/utils";
import { measure } from "./section";
import { UpdatesLink } from "./updates-link";
import { SuiteScene } from "./scenes/suite-scene";
import { useTexts } from "./use-texts";

/** One column on phones; from lg on, the headline left and its explanation right, on the same baseline. */
export function Hero() {
  const { hero } = useTexts();
  return (
    <div className={`${measure} pt-12 pb-14 sm:pt-16 lg:pt-20 lg:pb-18`}>
      <div className="grid items-end gap-x-16 gap-y-7 lg:grid-cols-[7fr_5fr]">
        <h1 className="max-w-[6.4em] font-display text-3xl tracking-tight sm:text-4xl lg:text-5xl">
          {hero.headline}
        </h1>
        <div className="lg:pb-2">
          <p className="max-w-[35.3em] text-base text-muted-foreground sm:text-lg">{hero.intro}</p>
          <div className="mt-7 flex flex-col gap-3 sm:flex-row">
            <UpdatesLink />
            <a
              href="#features"
              className={cn(
                buttonVariants({ variant: "outline", size: "lg" }),
                // Wraps a long name.
                "h-auto min-h-11 py-2 whitespace-normal",
              )}
            >
              {hero.more}
              <ArrowDown aria-hidden />
            </a>
          </div>
        </div>
      </div>
      <SuiteScene />
    </div>
  );
}
