import type { EraseResult, ErasureDecision, LocalErased } from "../index.js";
import type { SubjectSearch } from "./search.js";

export interface ErasureFacts {
  search: SubjectSearch;
  decision: ErasureDecision;
  reference: string | null;
  /** Results from the service; undefined in a preview, or if the service has no data to erase. */
  result: EraseResult | undefined;
  /** Results for local files. Before the erasure, the expected results. Undefined without `--local`. */
  local: LocalErased | undefined;
}
