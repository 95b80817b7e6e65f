import type { Server } from "node:net";

/** What Node's `listen` calls in the end, under a name that it keeps for those who replace it. */
interface Direct {
  _listen2(address: string, port: number, family: number, backlog: number): void;
}

function isDirect(server: object): server is Direct {
  return "_listen2" in server && typeof server._listen2 === "function";
}

/** As many as Node lets wait that says nothing of it. */
const backlog = 511;

/**
 * Has a server listen: it says `listening` or `error`, as it does by its own `listen`. That loads Node's cluster, with
 * child processes and datagrams, its resolver, and compiles what knows every form of an address: 5 ms of a start. None
 * of it is needed for the one address that nearly all servers have.
 */
export function listenAt(server: Server, port: number, host: string): void {
  // A worker of a cluster, which has a channel to its first process, shares its sockets.
  const isAlone = process.send === undefined;
  const isPort = Number.isInteger(port) && port >= 0 && port < 65_536;
  if (host === "127.0.0.1" && isAlone && isPort && isDirect(server)) server._listen2(host, port, 4, backlog);
  else server.listen(port, host);
}
