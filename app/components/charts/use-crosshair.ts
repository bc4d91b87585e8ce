import { useNavigate } from "@remix-run/react";
import { localPoint } from "@visx/event";
import { useTooltip } from "@visx/tooltip";
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef } from "react";

export interface Crosshair {
  /** The place the crosshair is at, counted from the left; undefined while it is not shown. */
  readonly index: number | undefined;
  readonly show: (index: number) => void;
  readonly hide: () => void;
}

/** The crosshair of one chart, or of several over the same times. It exists with JavaScript only. */
export function useCrosshair(count: number): Crosshair {
  const { tooltipOpen, tooltipData, showTooltip, hideTooltip } = useTooltip<number>();
  // New data may have fewer places.
  const isShown = tooltipOpen && tooltipData !== undefined && tooltipData < count;
  return {
    index: isShown ? tooltipData : undefined,
    show: (index) => showTooltip({ tooltipData: index }),
    hide: hideTooltip,
  };
}

interface GesturesOptions {
  readonly crosshair: Crosshair;
  readonly count: number;
  /** Returns the place at a position, from 0 at the left to 1. */
  readonly placeAt: (position: number) => number;
  readonly linkTo?: ((index: number) => string) | undefined;
  /** Whether these links lead to other rows of the page. */
  readonly staysOnPage?: boolean | undefined;
}

/** Returns the handlers that move a crosshair: of the drawing for pointer and touch, of a focusable element for keys. */
export function useGestures(options: GesturesOptions) {
  const { count, placeAt, linkTo, staysOnPage = false } = options;
  const { index, show, hide } = options.crosshair;
  const navigate = useNavigate();
  const isFirstTap = useRef(false);

  const getPlace = (event: PointerEvent<Element>) => {
    const { width } = event.currentTarget.getBoundingClientRect();
    return placeAt((localPoint(event.currentTarget, event)?.x ?? 0) / Math.max(1, width));
  };
  const moveTo = (place: number) => show(Math.min(count - 1, Math.max(0, place)));

  const pointer = {
    onPointerDown(event: PointerEvent<Element>) {
      const place = getPlace(event);
      isFirstTap.current = event.pointerType === "touch" && place !== index;
      show(place);
    },
    onPointerMove: (event: PointerEvent<Element>) => show(getPlace(event)),
    onPointerLeave(event: PointerEvent<Element>) {
      // A lifted finger leaves too, and its value is still being read.
      if (event.pointerType !== "touch") hide();
    },
    /** A finger has no way to point without a tap: the first one shows the value, the second one follows the link. */
    onClickCapture(event: MouseEvent<Element>) {
      if (isFirstTap.current) event.preventDefault();
    },
  };

  const keyboard = {
    onFocus: () => moveTo(index ?? count - 1),
    onBlur: hide,
    onKeyDown(event: KeyboardEvent<Element>) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const at = index ?? count - 1;
      const places: Readonly<Record<string, number>> = {
        ArrowLeft: at - 1,
        ArrowDown: at - 1,
        ArrowRight: at + 1,
        ArrowUp: at + 1,
        PageDown: at - Math.ceil(count / 10),
        PageUp: at + Math.ceil(count / 10),
        Home: 0,
        End: count - 1,
      };
      const place = places[event.key];
      if (place !== undefined) moveTo(place);
      else if (event.key === "Enter" && linkTo) navigate(linkTo(at), { preventScrollReset: staysOnPage });
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
  return { pointer, keyboard };
}
