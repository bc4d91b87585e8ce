import { routeOf } from "~/api/route.server";
import { getRedisStatus } from "./call.server";

const calls = routeOf(getRedisStatus);

export const loader = calls.loader;
export const action = calls.action;
