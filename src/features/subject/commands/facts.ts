import type { EraseResult, ErasureDecision, LocalErased } from "../index.js";
import type { SubjectSearch } from "./search.js";

export interface ErasureFacts {
  search: SubjectSearch;
  decision: ErasureDecision;
  reference: string | null;
  /** Results in the service; undefined if no changes were made. */
  result: EraseResult | undefined;
  /** Results for local files, or their preview; undefined if no files were searched. */
  local: LocalErased | undefined;
}
