import type { Client, Turn } from "../../client/types.js";
import type { MirrorApi } from "../../contract/mirror.js";

/** Number of reads without a delay, so that copying a small organization is fast. */
const firstReads = { public: 60, "distributor-v2": 20 } as const;
/** An operation that counts toward the same rate limit as all reads. */
const anyRead = { public: "groups.list", "distributor-v2": "orgs.list" } as const;

/** Limits reads to a share of the declared rate limit, so that other clients can use the rest. */
export function readPace(client: Client, share: number, api: MirrorApi = "public"): () => Promise<Turn> {
  let begun = 0;
  const burst = client.paced(anyRead[api], { expected: firstReads[api], share });
  const spaced = client.paced(anyRead[api], { expected: Number.POSITIVE_INFINITY, share });
  return () => {
    begun += 1;
    return (begun <= firstReads[api] ? burst : spaced).turn();
  };
}
