import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import remixOptions from "./remix.config.js";

export default defineConfig(({ command }) => ({
  // Only what Vite hashes lives under /static/, so only that may be cached for ever; public/ keeps its own paths.
  base: command === "build" ? "/static/" : "/",
  plugins: [tailwindcss(), remix(remixOptions)],
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  // Icons are bundled, so that the icon set is no runtime dependency.
  ssr: { noExternal: ["lucide-react"] },
  build: { target: "es2022" },
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
