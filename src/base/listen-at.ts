import type { Server } from "node:net";

/** The internal function that Node's `listen` calls, under a name that Node keeps stable. */
interface Direct {
  _listen2(address: string, port: number, family: number, backlog: number): void;
}

function isDirect(server: object): server is Direct {
  return "_listen2" in server && typeof server._listen2 === "function";
}

/** Node's default length of the queue. */
const backlog = 511;

/**
 * Starts a server on an address, with the events `listening` and `error` of `listen`. Node's `listen` also loads cluster,
 * child processes, datagrams and resolver, which takes 5 ms and is not needed for an IP address.
 */
export function listenAt(server: Server, port: number, host: string): void {
  // A cluster's worker, which has a channel to its primary process, shares its sockets.
  const isAlone = process.send === undefined;
  const isPort = Number.isInteger(port) && port >= 0 && port < 65_536;
  if (host === "127.0.0.1" && isAlone && isPort && isDirect(server)) server._listen2(host, port, 4, backlog);
  else server.listen(port, host);
}
