import type { Client, Turn } from "../../client/types.js";
import type { MirrorApi } from "../../contract/mirror.js";

/** Number of reads sent without a delay. A small organization needs no more and thus never reaches the rate limit. */
const firstReads = { public: 60, "distributor-v2": 20 } as const;
/** An operation in the rate-limit bucket that all reads share. */
const anyRead = { public: "groups.list", "distributor-v2": "orgs.list" } as const;

/**
 * Returns a function that limits reads to a share of the declared rate limit, so that other clients can use the rest.
 */
export function readPace(client: Client, share: number, api: MirrorApi = "public"): () => Promise<Turn> {
  let begun = 0;
  const burst = client.paced(anyRead[api], { expected: firstReads[api], share });
  const spaced = client.paced(anyRead[api], { expected: Number.POSITIVE_INFINITY, share });
  return () => {
    begun += 1;
    return (begun <= firstReads[api] ? burst : spaced).turn();
  };
}
