import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import remixOptions from "./remix.config.js";
import { brandImages } from "./scripts/images/plugin";
import { precompress } from "./scripts/precompress";

const inPackages = (...names: string[]) => new RegExp(`/node_modules/(${names.join("|")})/`);

/**
 * Two files for what every page loads, instead of a dozen: each answer carries the guard's headers, near to 1 KB. Remix's
 * changes are rarer than ours, so it has a file of its own.
 */
const sharedFiles = {
  framework: [
    inPackages(
      "@remix-run",
      "react",
      "react-dom",
      "react-router",
      "react-router-dom",
      "scheduler",
      "turbo-stream",
    ),
  ],
  shared: [
    inPackages("class-variance-authority", "clsx", "tailwind-merge"),
    /\/lucide-react\/dist\/esm\/[^/]+$/,
    /\/app\/(brand|brand-mark|messages|nonce-context|paths)\.tsx?$/,
    /\/app\/lib\/(class-names|durations)\.ts$/,
    // What the landing page and its forms are made of.
    /\/app\/components\/(banner|dialog-page|failure|field|logo|use-hydrated|ui\/(button|input|label|select|textarea))\.tsx?$/,
  ],
};

function sharedFile(module: string): string | undefined {
  return Object.entries(sharedFiles).find(([, parts]) => parts.some((part) => part.test(module)))?.[0];
}

export default defineConfig(({ command, isSsrBuild }) => ({
  // Only what Vite hashes lives under /static/, so only that may be cached for ever; public/ keeps its own paths.
  base: command === "build" ? "/static/" : "/",
  plugins: [brandImages(), tailwindcss(), remix(remixOptions), precompress("build/client/assets")],
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  // Icons are bundled, so that the icon set is no runtime dependency.
  ssr: { noExternal: ["lucide-react"] },
  build: {
    target: "es2022",
    // remix-serve serves public/ itself; a copy would stand under /static/ as well, to be kept for ever.
    copyPublicDir: false,
    // The policy lets no font come from a data: URL, and a picture in a script is fetched by those who never see it.
    assetsInlineLimit: 0,
    // A twentieth smaller than esbuild makes it.
    minify: isSsrBuild ? false : "terser",
    rollupOptions: { output: isSsrBuild ? {} : { manualChunks: sharedFile } },
  },
  // Development: know every package of the browser before the first page, or its second half gets another React.
  optimizeDeps: {
    include: [
      "react",
      "react-dom/client",
      "@remix-run/react",
      "lucide-react",
      "class-variance-authority",
      "clsx",
      "tailwind-merge",
    ],
  },
}));
