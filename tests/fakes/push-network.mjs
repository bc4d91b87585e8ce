import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

/**
 * Loaded into the product before its own code (NODE_OPTIONS=--import=...) in place of a network with a push
 * service: the fake service's name resolves to an address of the internet, and connections to that address
 * arrive at this machine. The product's own check of addresses stays in force (hardening C22).
 */
const NAME = "push.example.com";
const ADDRESS = "93.184.215.14";

const lookup = dns.lookup;
dns.lookup = (name, options, found) => {
  if (name !== NAME) return lookup(name, options, found);
  found(null, [{ address: ADDRESS, family: 4 }]);
};
syncBuiltinESMExports();

const arrivesHere = ({ address, family }) => ({
  address: address === ADDRESS ? "127.0.0.1" : address,
  family,
});

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...parameters) {
  const options = Array.isArray(parameters[0]) ? parameters[0][0] : parameters[0];
  if (options?.host === NAME && options.lookup) {
    const resolve = options.lookup;
    options.lookup = (name, how, found) =>
      resolve(name, how, (error, address, family) => {
        if (error) return found(error);
        if (Array.isArray(address)) return found(null, address.map(arrivesHere));
        found(null, arrivesHere({ address, family }).address, family);
      });
  }
  return connect.apply(this, parameters);
};
