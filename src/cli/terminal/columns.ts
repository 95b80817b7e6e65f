import type { Io } from "../../base/io.js";

const usualColumns = 80;

/** Containers and schedulers can report a width of 0 or 1. */
const fewestColumns = 10;

export function columnsOf({ env }: Pick<Io, "env">, stream: { columns?: number | undefined }): number {
  const set = /^\d{1,5}$/.test(env.COLUMNS ?? "") ? Number(env.COLUMNS) : undefined;
  return (
    [set, stream.columns].find((columns) => columns !== undefined && columns >= fewestColumns) ?? usualColumns
  );
}
