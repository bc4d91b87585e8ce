import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { dispatch } from "~/api/dispatch.server";

export function loader(args: LoaderFunctionArgs) {
  return dispatch(args);
}

export function action(args: ActionFunctionArgs) {
  return dispatch(args);
}
