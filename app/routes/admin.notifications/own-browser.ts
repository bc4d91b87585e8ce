/** Re-exports the visitors' push registration, loaded only when an operator presses the button. */
export { pushMessages } from "~/content/push-messages";
export { setUpPush } from "~/components/push/set-up-push";
