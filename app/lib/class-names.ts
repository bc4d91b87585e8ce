import { clsx, type ClassValue } from "clsx";

/** Joins class names. A caller adds and replaces none: of two for one property the sheet decides (tests/e2e/axe.ts). */
export const cn = (...classes: ClassValue[]): string => clsx(classes);
