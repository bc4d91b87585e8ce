import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import remixOptions from "./remix.config.js";
import { brandImages } from "./scripts/images/plugin";

/**
 * Two files for what every page loads, instead of a dozen: each answer carries the guard's headers, near to 1 KB. What
 * changes with the product's releases is apart from what changes with Remix's.
 */
function sharedChunk(id: string): string | undefined {
  if (
    /\/node_modules\/(@remix-run|react|react-dom|react-router|react-router-dom|scheduler|turbo-stream)\//.test(
      id,
    )
  )
    return "framework";
  if (
    /\/app\/(brand|messages|nonce-context|paths|lib\/class-names|components\/(logo|ui\/button|use-hydrated))\.tsx?$/.test(
      id,
    )
  )
    return "shared";
  if (
    /\/node_modules\/(class-variance-authority|clsx|tailwind-merge|lucide-react\/dist\/esm\/(?!icons\/))/.test(
      id,
    )
  )
    return "shared";
  return undefined;
}

export default defineConfig(({ command, isSsrBuild }) => ({
  // Only what Vite hashes lives under /static/, so only that may be cached for ever; public/ keeps its own paths.
  base: command === "build" ? "/static/" : "/",
  plugins: [brandImages(), tailwindcss(), remix(remixOptions)],
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
    rollupOptions: { output: isSsrBuild ? {} : { manualChunks: sharedChunk } },
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
