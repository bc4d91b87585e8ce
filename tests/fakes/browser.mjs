/** Stands in for a browser whose user consents to everything: opens an address and follows its redirects. */
const [address = ""] = process.argv.slice(2);
const response = await fetch(address);
await response.text();
