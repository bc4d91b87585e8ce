import { useEffect, useRef } from "react";
import { Banner } from "~/components/banner";
import { CopyButton } from "~/components/copy-button";
import { operatorMessages } from "~/content/operator-messages";
import { utcTime } from "~/lib/format-time";
import type { IssuedToken } from "./actions.server";

const copy = operatorMessages.tokens;

/** Shows a token once. It stays until the next page, because copying it to another program takes a while. */
export function TokenBanner({ issued: { token, name, expiresAt } }: { issued: IssuedToken }) {
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => banner.current?.focus(), []);
  return (
    <Banner ref={banner} kind="success">
      <p className="font-medium wrap-anywhere">
        <bdi>{copy.made(name)}</bdi>
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <code className="rounded-md border bg-surface px-3 py-1.5 font-mono text-sm wrap-anywhere select-all">
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
