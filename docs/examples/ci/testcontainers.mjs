// Runs the image of the Dockerfile with testcontainers (npm install --save-dev testcontainers).
// Requires a container runtime.
import { GenericContainer, Wait } from "testcontainers";

/** Starts an emulator in a container. Returns its URLs, a key, and a function that stops it. */
export async function startEmulator({
  image = "voxctl-emulator",
  key = "a-key-for-tests-of-43-characters-or-so-0001",
} = {}) {
  const container = await new GenericContainer(image)
    .withExposedPorts(4010)
    .withCommand(["--db", ":memory:", "--seed", "empty", "--key", `admin=${key}`])
    .withWaitStrategy(Wait.forHealthCheck())
    .start();
  // The server accepts the host name localhost on any published port.
  const url = `http://localhost:${container.getMappedPort(4010)}`;
  return { url, baseUrl: `${url}/api/v1`, key, stop: () => container.stop() };
}
