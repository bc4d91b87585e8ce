import { routeOf } from "~/api/route.server";
import { sendTaskAssignment } from "./call.server";

const calls = routeOf(sendTaskAssignment);

export const loader = calls.loader;
export const action = calls.action;
