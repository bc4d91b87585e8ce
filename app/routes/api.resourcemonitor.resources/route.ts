import { routeOf } from "~/api/route.server";
import { getResources } from "./call.server";

const calls = routeOf(getResources);

export const loader = calls.loader;
export const action = calls.action;
