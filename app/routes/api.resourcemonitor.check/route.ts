import { routeOf } from "~/api/route.server";
import { checkResourcesNow } from "./call.server";

const calls = routeOf(checkResourcesNow);

export const loader = calls.loader;
export const action = calls.action;
