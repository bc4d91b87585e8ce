export function findForm(html: string, path: string): string {
  const form = new RegExp(`<form[^>]*action="${path}(?:#[^"]*)?".*?</form>`, "s").exec(html)?.[0];
  if (!form) throw new Error(`There is no form for ${path}`);
  return form;
}

export function getValue(form: string, name: string): string {
  const [tag, rest] = findTag(form, name);
  if (tag.startsWith("<textarea")) {
    // The first line break after the tag is the markup's.
    return unescapeHtml(rest.slice(0, rest.indexOf("</textarea>")).replace(/^\n/, ""));
  }
  if (tag.startsWith("<select")) {
    const options = rest.slice(0, rest.indexOf("</select>"));
    return /<option value="([^"]*)" selected/.exec(options)?.[1] ?? "";
  }
  return unescapeHtml(/ value="([^"]*)"/.exec(tag)?.[1] ?? "");
}

/** Returns the error of an invalid field, by its aria-describedby. */
export function getError(form: string, name: string): string | undefined {
  const [tag] = findTag(form, name);
  if (!tag.includes('aria-invalid="true"')) return undefined;
  const ids = / aria-describedby="([^"]*)"/.exec(tag)?.[1]?.split(" ") ?? [];
  const texts = ids.map((id) => new RegExp(`id="${id}"[^>]*>(.*?)</p>`, "s").exec(form)?.[1] ?? "");
  return unescapeHtml((texts.at(-1) ?? "").replace(/<[^>]*>/g, ""));
}

export function unescapeHtml(html: string): string {
  const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
  return html.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => named[name] ?? "");
}

function findTag(form: string, name: string): [tag: string, rest: string] {
  const found = new RegExp(`<(?:input|select|textarea)[^>]*name="${name}"[^>]*>`).exec(form);
  if (!found) throw new Error(`There is no field ${name}`);
  return [found[0], form.slice(found.index + found[0].length)];
}

/** Returns the section of a page that has this label. */
export function getRegion(html: string, label: string): string {
  const start = html.indexOf(`aria-label="${label}"`);
  if (start < 0) throw new Error(`The page has no "${label}"`);
  return html.slice(start, html.indexOf("</section>", start));
}
