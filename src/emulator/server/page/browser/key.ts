import { useEffect, useState } from "preact/hooks";
import type { Key } from "./api.js";
import { useApp } from "./context.js";

export function usePicked(): Key | undefined {
  const { api } = useApp();
  const [picked, setPicked] = useState(api.picked());
  useEffect(() => {
    setPicked(api.picked());
    return api.subscribe(() => setPicked(api.picked()));
  }, [api]);
  return picked;
}
