// A recipe for testcontainers (npm install --save-dev testcontainers), with the image that the Dockerfile makes.
// It needs a container runtime.
import { GenericContainer, Wait } from "testcontainers";

/** Starts an emulator in a container; answers where it is, a key, and how to stop it. */
export async function startEmulator({
  image = "voxctl-emulator",
  key = "a-key-for-tests-of-43-characters-or-so-0001",
} = {}) {
  const container = await new GenericContainer(image)
    .withExposedPorts(4010)
    .withCommand(["--db", ":memory:", "--seed", "empty", "--key", `admin=${key}`])
    .withWaitStrategy(Wait.forHealthCheck())
    .start();
  // The server lets in the name localhost, whatever port it is published at.
  const url = `http://localhost:${container.getMappedPort(4010)}`;
  return { url, baseUrl: `${url}/api/v1`, key, stop: () => container.stop() };
}
