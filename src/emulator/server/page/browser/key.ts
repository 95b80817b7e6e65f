import { useEffect, useState } from "preact/hooks";
import type { Key } from "./api.js";
import { useApp } from "./context.js";

/** Returns the selected key; undefined until the keys are read. The page shows the key's organization. */
export function usePicked(): Key | undefined {
  const { api } = useApp();
  const [picked, setPicked] = useState(api.picked());
  useEffect(() => {
    setPicked(api.picked());
    return api.subscribe(() => setPicked(api.picked()));
  }, [api]);
  return picked;
}
