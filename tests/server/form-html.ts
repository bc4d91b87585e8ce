/** Reads the forms of a page from its HTML, as a browser without JavaScript shows them. */

/** The form that posts to a path, with everything in it. */
export function formIn(html: string, path: string): string {
  const form = new RegExp(`<form[^>]*action="${path}(?:#[^"]*)?".*?</form>`, "s").exec(html)?.[0];
  if (!form) throw new Error(`There is no form for ${path}`);
  return form;
}

/** What stands in a field. */
export function valueOf(form: string, name: string): string {
  const [tag, rest] = tagOf(form, name);
  if (tag.startsWith("<textarea")) {
    // The first line break after the tag is the markup's.
    return unescaped(rest.slice(0, rest.indexOf("</textarea>")).replace(/^\n/, ""));
  }
  if (tag.startsWith("<select")) {
    const options = rest.slice(0, rest.indexOf("</select>"));
    return /<option value="([^"]*)" selected/.exec(options)?.[1] ?? "";
  }
  return unescaped(/ value="([^"]*)"/.exec(tag)?.[1] ?? "");
}

/** The error that is tied to a field, by following aria-describedby. */
export function errorOf(form: string, name: string): string | undefined {
  const [tag] = tagOf(form, name);
  if (!tag.includes('aria-invalid="true"')) return undefined;
  const ids = / aria-describedby="([^"]*)"/.exec(tag)?.[1]?.split(" ") ?? [];
  const texts = ids.map((id) => new RegExp(`id="${id}"[^>]*>(.*?)</p>`, "s").exec(form)?.[1] ?? "");
  return unescaped((texts.at(-1) ?? "").replace(/<[^>]*>/g, ""));
}

export function unescaped(html: string): string {
  const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
  return html.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => named[name] ?? "");
}

function tagOf(form: string, name: string): [tag: string, rest: string] {
  const found = new RegExp(`<(?:input|select|textarea)[^>]*name="${name}"[^>]*>`).exec(form);
  if (!found) throw new Error(`There is no field ${name}`);
  return [found[0], form.slice(found.index + found[0].length)];
}
