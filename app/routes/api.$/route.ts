import { dispatch } from "~/api/dispatch.server";

export const loader = dispatch;
export const action = dispatch;
