/** An image drawn at build time (plugin.ts); the export is its URL. */
declare module "brand-image:*" {
  const path: string;
  export default path;
}
