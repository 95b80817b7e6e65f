import type { EraseResult, ErasureDecision, LocalErased } from "../../../subject/index.js";
import type { SubjectSearch } from "./search.js";

/** What an erasure knows of itself. */
export interface ErasureFacts {
  search: SubjectSearch;
  decision: ErasureDecision;
  reference: string | null;
  /** What the service's things came to; undefined: nothing was sent. */
  result: EraseResult | undefined;
  /** What this machine's files came to, or would come to; undefined: none were looked at. */
  local: LocalErased | undefined;
}
