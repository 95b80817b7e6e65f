// Builds the emulator's container image from the npm package, without a checkout.

const stage = "FROM node:24-slim\n";
const copiedFromBuild = "COPY --from=package /packed /packed\n";

/**
 * Returns the Dockerfile without the stage that builds the package.
 * @param dockerfile text of the project's Dockerfile
 * @param archive file name of the npm package in the context
 * @throws Error if the Dockerfile's stages have changed
 */
export function containerDockerfile(dockerfile: string, archive: string): string {
  const start = dockerfile.lastIndexOf(stage);
  if (start < 0 || !dockerfile.includes(copiedFromBuild))
    throw new Error("the Dockerfile's stages have changed: see scripts/release/container.ts");
  return dockerfile.slice(start).replace(copiedFromBuild, `COPY ${archive} /packed/\n`);
}
