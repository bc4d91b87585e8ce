import { globSync } from "node:fs";
import { paths } from "../../app/paths.ts";
import { plain, type PlainResponse } from "../response/plain-response.ts";
import type { RequestTarget } from "./request-target.ts";

/** Below it are only files of the build (`base` in vite.config.ts). */
const BUILD_PATH = "/static/";
/** A path at the root that looks like a file. `.data` is Remix's suffix of a page's data. */
const FILE_NAME = /^\/[^/]+\.(?!data$)[a-z0-9]+$/;
/** Routes of the application whose paths look like files. */
export const FILE_ROUTES: readonly string[] = [
  "/robots.txt",
  paths.sitemap,
  paths.webManifest,
  paths.backOfficeManifest,
  paths.pushWorker,
];

/** Not found: nothing else, because a page of HTML in place of a script or an image helps nobody. */
const NOT_FOUND = plain(404);
/** Unknown paths lead to the landing page (specification, section 2). */
const TO_LANDING: PlainResponse = { status: 303, message: "", location: paths.landing };

/** The files that remix-serve answers by itself: those of the build and of public/ when the server started (C48). */
export class StaticFiles {
  readonly #pathnames: ReadonlySet<string>;

  /** @param pathnames their paths; with none, as in development, no path is refused. */
  constructor(pathnames: readonly string[]) {
    this.#pathnames = new Set(pathnames);
  }

  /** @param build the folder behind /static/. @param rest the folder behind the root. */
  static read(build: string, rest: string): StaticFiles {
    // Every file's name has a dot, and no folder's.
    const list = (folder: string) => globSync("**/*.*", { cwd: folder });
    return new StaticFiles([
      ...list(build).map((name) => BUILD_PATH + name),
      ...list(rest).map((name) => `/${name}`),
    ]);
  }

  /** Returns whether there is such a file. @param pathname RequestTarget.pathname. */
  has(pathname: string): boolean {
    return this.#pathnames.has(pathname);
  }

  /** @returns the response to a path of a file that does not exist, undefined for any other path. */
  refuseMissing({ pathname, path }: RequestTarget): PlainResponse | undefined {
    if (this.#pathnames.size === 0 || this.has(pathname)) return undefined;
    if (path.startsWith(BUILD_PATH) || path === "/static") return NOT_FOUND;
    return FILE_NAME.test(path) && !FILE_ROUTES.includes(path) ? TO_LANDING : undefined;
  }
}
