/** What tells people from programs (docs/decisions/0006): the signed render time, and a field only programs fill in. */
export function HiddenFields({ stamp }: { stamp: string }) {
  return (
    <>
      <input type="hidden" name="stamp" value={stamp} />
      <div aria-hidden className="absolute size-px overflow-hidden opacity-0">
        <label>
          Website <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
    </>
  );
}
