import type { Client, Turn } from "../../client/types.js";

/** So many reads go at once: a small organization is not kept waiting for a limit that it never meets. */
const firstReads = 60;

/** M3: reads at a share of the declared limit, in the order that leaves room for people. */
export function readPace(client: Client, share: number): () => Promise<Turn> {
  let begun = 0;
  const burst = client.paced("groups.list", { expected: firstReads, share });
  const spaced = client.paced("groups.list", { expected: Number.POSITIVE_INFINITY, share });
  return () => {
    begun += 1;
    return (begun <= firstReads ? burst : spaced).turn();
  };
}
