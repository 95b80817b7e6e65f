// The software bill of materials of a package or an executable, as CycloneDX 1.5.
import { sha256 } from "./checksums.js";

interface Product {
  name: string;
  version: string;
  license: string;
}

/** `packages` of package-lock.json, by path; the product's path is empty. */
type Lock = Readonly<Record<string, LockedPackage>>;

interface LockedPackage {
  version?: string;
  license?: string;
  dependencies?: Readonly<Record<string, string>>;
  devDependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
}

interface Component {
  type: "application" | "library";
  name: string;
  version: string;
  purl: string;
  "bom-ref": string;
  licenses: readonly ({ expression: string } | { license: { name: string } })[];
  scope?: "optional";
}

const otherSources = new Map([
  ["node", "pkg:github/nodejs/node@v"],
  ["jq", "pkg:github/jqlang/jq@jq-"],
  ["oniguruma", "pkg:github/kkos/oniguruma@v"],
  ["decNumber", "pkg:generic/decNumber@"],
]);

/**
 * Returns a bill of materials. The same arguments always produce the same text.
 * @param licenses text of THIRD-PARTY-LICENSES, which starts with a list of the bundled libraries
 * @param installed names of the packages that npm installs with the product
 * @param timestamp time of the released commit
 */
export function buildSbom(
  { name, version, license }: Product,
  {
    licenses,
    installed,
    lock,
    timestamp,
  }: { licenses: string; installed: readonly string[]; lock: Lock; timestamp: string },
): string {
  const product = toComponent("application", name, version, license);
  const bundled = [...licenses.matchAll(/^- (\S+) (\S+) \((.+)\)$/gm)].map(
    ([, library = "", libraryVersion = "", libraryLicense = ""]) =>
      toComponent("library", library, libraryVersion, libraryLicense),
  );
  const optional = [...findInstalled(lock, installed)].map(
    (path): Component => ({ ...toLocked(path, lock), scope: "optional" }),
  );
  const components = [...bundled, ...optional];
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { timestamp, component: product },
    components,
    dependencies: buildGraph(product, components, lock),
  };
  const sum = sha256(Buffer.from(JSON.stringify(bill)));
  const uuid = `${sum.slice(0, 8)}-${sum.slice(8, 12)}-8${sum.slice(13, 16)}-a${sum.slice(17, 20)}-${sum.slice(20, 32)}`;
  return `${JSON.stringify({ ...bill, serialNumber: `urn:uuid:${uuid}` }, null, 2)}\n`;
}

/** Includes the packages for every platform. */
function findInstalled(lock: Lock, names: readonly string[]): Set<string> {
  const paths = new Set(names.flatMap((name) => resolve(lock, "", name)));
  for (const path of paths) for (const next of dependenciesOf(lock, path)) paths.add(next);
  return paths;
}

/** Components that are not from npm are dependencies of the product. */
function buildGraph(product: Component, components: readonly Component[], lock: Lock): object[] {
  const known = new Set(components.map(({ purl }) => purl));
  const pathOf = new Map(
    Object.keys(lock).map((path) => [path === "" ? product.purl : toLocked(path, lock).purl, path]),
  );
  const own = components.map(({ purl }) => purl).filter((purl) => !pathOf.has(purl));
  return [product, ...components].map(({ purl }) => {
    const path = pathOf.get(purl);
    const used =
      path === undefined ? [] : dependenciesOf(lock, path).map((next) => toLocked(next, lock).purl);
    const dependsOn = [...new Set(used)].filter((next) => known.has(next));
    return { ref: purl, dependsOn: purl === product.purl ? [...dependsOn, ...own] : dependsOn };
  });
}

function dependenciesOf(lock: Lock, path: string): string[] {
  const { dependencies, devDependencies, optionalDependencies } = lock[path] ?? {};
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  return names.flatMap((name) => resolve(lock, path, name));
}

/** Finds a package in the nearest `node_modules`, as Node.js does. */
function resolve(lock: Lock, from: string, name: string): string[] {
  const path = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  if (lock[path] !== undefined) return [path];
  return from === ""
    ? []
    : resolve(lock, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))), name);
}

function toLocked(path: string, lock: Lock): Component {
  const { version = "", license = "see package" } = lock[path] ?? {};
  return toComponent("library", path.split("node_modules/").at(-1) ?? "", version, license);
}

const spdx = /^\(?[A-Za-z0-9.+-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.+-]+)*\)?$/;

function toComponent(type: Component["type"], name: string, version: string, license: string): Component {
  const purl = `${otherSources.get(name) ?? `pkg:npm/${name.replace("@", "%40")}@`}${version}`;
  const licenses = spdx.test(license) ? [{ expression: license }] : [{ license: { name: license } }];
  return { type, name, version, purl, "bom-ref": purl, licenses };
}
