import { routeOf } from "~/api/route.server";
import { broadcastToTenant } from "./call.server";

const calls = routeOf(broadcastToTenant);

export const loader = calls.loader;
export const action = calls.action;
