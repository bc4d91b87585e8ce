/** What registers this browser for push messages: the visitors' own code, fetched by those who press the button. */
export { pushMessages } from "~/content/push-messages";
export { setUpPush } from "~/routes/($form)/push/set-up-push";
