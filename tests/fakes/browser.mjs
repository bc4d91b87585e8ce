/** A browser whose person agrees to everything: goes to an address and on to where that leads. */
const [address = ""] = process.argv.slice(2);
const answer = await fetch(address);
await answer.text();
