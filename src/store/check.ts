import { keepFinishedMilliseconds } from "../write/journal/folder.js";
import { isUnverified } from "./address.js";
import type { StoreConnection } from "./connection.js";
import { hasFleetLayout, type StoreRowInfo } from "./schema.js";

export interface StoreCheck {
  check: string;
  status: "ok" | "warning";
  detail: string;
}

const mostClockMilliseconds = 60_000;

/** @param now the machine's time, in milliseconds since 1970 */
export async function checkStoreState(
  connection: StoreConnection,
  info: StoreRowInfo,
  now: number,
): Promise<StoreCheck[]> {
  const { schema, user, tls } = connection.address;
  const fleets = hasFleetLayout(info)
    ? {
        areWritable: `AND has_table_privilege(current_user, '${schema}.member', 'UPDATE')`,
        countOld: `+ (SELECT count(*) FROM ${schema}.fleet WHERE state IN ('running', 'stopped')
          AND started_at < clock_timestamp() - $1::interval)`,
      }
    : { areWritable: "", countOld: "" };
  const [row] = await connection.query(
    `SELECT current_setting('synchronous_commit') AS commits,
       has_table_privilege(current_user, '${schema}.entry', 'INSERT')
         AND has_table_privilege(current_user, '${schema}.run', 'UPDATE')
         AND has_table_privilege(current_user, '${schema}.store', 'UPDATE') ${fleets.areWritable} AS may_write,
       (SELECT count(*) FROM ${schema}.run WHERE state IN ('planning', 'running')
         AND started_at < clock_timestamp() - $1::interval) ${fleets.countOld} AS old_runs`,
    [`${keepFinishedMilliseconds} milliseconds`],
  );
  const verdict = (check: string, isOk: boolean, good: string, bad: string): StoreCheck =>
    isOk ? { check, status: "ok", detail: good } : { check, status: "warning", detail: bad };
  const oldRuns = Number(row?.["old_runs"] ?? 0);
  const offset = Math.abs(info.now - now);
  return [
    { check: "connection", status: "ok", detail: `connected as ${user}` },
    verdict("key", true, "the store key is correct", ""),
    verdict(
      "rights",
      row?.["may_write"] === true,
      "the role has all required permissions",
      `the role lacks permissions; to print the GRANT statements, run \`voxctl store init --role ${user}\` as the owner`,
    ),
    verdict(
      "tls",
      !isUnverified(connection.address),
      `sslmode ${tls.mode}`,
      `sslmode ${tls.mode} does not verify the server's name`,
    ),
    verdict(
      "clock",
      offset < mostClockMilliseconds,
      "the clocks are in sync",
      `the clocks differ by ${Math.round(offset / 1_000)} s`,
    ),
    verdict(
      "durability",
      row?.["commits"] !== "off" && row?.["commits"] !== "local",
      `synchronous_commit is ${String(row?.["commits"])}`,
      `synchronous_commit is ${String(row?.["commits"])}: a server failure can lose entries`,
    ),
    verdict(
      "runs",
      oldRuns === 0,
      "no unfinished run is older than 30 days",
      `${oldRuns} unfinished for more than 30 days; to list them, run \`voxctl runs list\``,
    ),
  ];
}
