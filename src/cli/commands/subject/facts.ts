import type { EraseResult, ErasureDecision, LocalErased } from "../../../subject/index.js";
import type { SubjectSearch } from "./search.js";

/** The facts that an erasure knows of itself. */
export interface ErasureFacts {
  search: SubjectSearch;
  decision: ErasureDecision;
  reference: string | null;
  /** Results of the service's resources; undefined if nothing was sent. */
  result: EraseResult | undefined;
  /** The results of this machine's files, or the foreseen ones; undefined: none were looked at. */
  local: LocalErased | undefined;
}
