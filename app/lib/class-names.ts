import { clsx, type ClassValue } from "clsx";

/**
 * Joins class names. Of two Tailwind classes for the same property the style sheet's order would decide, so a caller adds
 * to a component's classes and replaces none; tests/e2e/axe.ts finds a contradiction on any screen.
 */
export const cn = (...classes: ClassValue[]): string => clsx(classes);
