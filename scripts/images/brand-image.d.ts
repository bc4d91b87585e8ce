/** Drawn at build time (plugin.ts); the path under which it is served. */
declare module "brand-image:*" {
  const path: string;
  export default path;
}
