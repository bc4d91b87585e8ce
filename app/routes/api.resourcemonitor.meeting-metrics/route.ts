import { routeOf } from "~/api/route.server";
import { getMeetingMetrics } from "./call.server";

const calls = routeOf(getMeetingMetrics);

export const loader = calls.loader;
export const action = calls.action;
