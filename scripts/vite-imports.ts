import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

const app = new URL("../app/", import.meta.url);

/** Makes Node resolve the product's modules as Vite does: `~/` is app/, and the extension .ts is optional. */
export function importAsViteDoes(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const inApp = specifier.startsWith("~/");
      const isRelative = specifier.startsWith(".") && context.parentURL?.startsWith("file:");
      if (!inApp && !isRelative) return next(specifier, context);
      const base = inApp ? app : new URL(context.parentURL ?? app);
      const file = `${new URL(specifier.replace(/^~\//, "./"), base).href}.ts`;
      return next(existsSync(fileURLToPath(file)) ? file : specifier, context);
    },
  });
}
