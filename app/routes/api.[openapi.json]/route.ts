import { routeOf } from "~/api/route.server";
import { getDocument } from "./call.server";

const calls = routeOf(getDocument);

export const loader = calls.loader;
export const action = calls.action;
