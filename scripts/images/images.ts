import { brand } from "../../app/content/brand.ts";
import { drawIcon } from "./drawing.ts";
import { openRasterizer, type Rasterizer } from "./rasterizer.ts";
import { drawSocialCard, SOCIAL_CARD } from "./social-card.ts";

/** Rounded here, for systems that show it unchanged. */
const icon = drawIcon({ markSize: 336, cornerRadius: 112 });
/** Cropped by the phone: the content lies within the middle 80 % (W3C Web Application Manifest, "safe zone"). */
const maskable = drawIcon({ markSize: 272, cornerRadius: 0 });
/** iOS rounds the corners and crops nothing else. */
const touch = drawIcon({ markSize: 320, cornerRadius: 0 });

/** Large in its square: a tab shows it at 16 pixels. */
const tab = drawIcon({ markSize: 416, cornerRadius: 96 });

const drawings: Record<string, (tools: Rasterizer) => Uint8Array> = {
  "social-card.png": (tools) => tools.png(drawSocialCard(brand, tools), SOCIAL_CARD.width),
  "apple-touch-icon.png": (tools) => tools.png(touch, 180),
  "favicon-16.png": (tools) => tools.png(tab, 16),
  "favicon-32.png": (tools) => tools.png(tab, 32),
  "favicon-48.png": (tools) => tools.png(tab, 48),
  "icon-192.png": (tools) => tools.png(icon, 192),
  "icon-512.png": (tools) => tools.png(icon, 512),
  "icon-maskable-192.png": (tools) => tools.png(maskable, 192),
  "icon-maskable-512.png": (tools) => tools.png(maskable, 512),
};

export const imageNames = Object.keys(drawings);

/**
 * Draws a PNG of the brand from its words and its mark.
 * @throws for an unknown name.
 */
export async function drawImage(name: string): Promise<Uint8Array> {
  const draw = drawings[name];
  if (!draw) throw new Error(`No such image: ${name}. There are ${imageNames.join(", ")}.`);
  return draw(await openRasterizer());
}
