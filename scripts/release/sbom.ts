// The software bill of materials of a release, as CycloneDX 1.5.

interface Product {
  name: string;
  version: string;
  license: string;
  /** Versions of the packages that npm installs with the product, by name. */
  optionalDependencies: Readonly<Record<string, string>>;
}

interface Component {
  type: "application" | "library";
  name: string;
  version: string;
  purl: string;
  licenses?: readonly ({ expression: string } | { license: { name: string } })[];
  scope?: "optional";
}

/**
 * Returns the bill of materials of the npm package.
 * @param licenses text of `dist/THIRD-PARTY-LICENSES`, which starts with a list of the bundled libraries
 */
export function buildSbom(
  { name, version, license, optionalDependencies }: Product,
  licenses: string,
): string {
  const bundled = [...licenses.matchAll(/^- (\S+) (\S+) \((.+)\)$/gm)].map(
    ([, library = "", libraryVersion = "", libraryLicense = ""]) =>
      toComponent("library", library, libraryVersion, libraryLicense),
  );
  const installed = Object.entries(optionalDependencies).map(
    ([library, libraryVersion]): Component => ({
      ...toComponent("library", library, libraryVersion),
      scope: "optional",
    }),
  );
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: toComponent("application", name, version, license) },
    components: [...bundled, ...installed],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

const spdx = /^\(?[A-Za-z0-9.+-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.+-]+)*\)?$/;

function toComponent(type: Component["type"], name: string, version: string, license?: string): Component {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  if (license === undefined) return { type, name, version, purl };
  const licenses = spdx.test(license) ? [{ expression: license }] : [{ license: { name: license } }];
  return { type, name, version, purl, licenses };
}
