import { routeOf } from "~/api/route.server";
import { generateError, generateErrorByPost } from "./call.server";

const calls = routeOf(generateError, generateErrorByPost);

export const loader = calls.loader;
export const action = calls.action;
