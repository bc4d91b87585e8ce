import { routeOf } from "~/api/route.server";
import { getTenantInfo } from "./call.server";

const calls = routeOf(getTenantInfo);

export const loader = calls.loader;
export const action = calls.action;
