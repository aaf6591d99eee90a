/** A way to a server that can be cut, as a network is: what is sent meanwhile goes nowhere, whoever sends it. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";

export type Line = { url: string; cut(): void; mend(): void; close(): void };

export async function openLine(url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  const ends = new Set<Socket>();
  let isCut = false;
  const cut = () => {
    isCut = true;
    for (const end of ends) end.destroy();
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const end of [near, far]) ends.add(end.on("close", () => ends.delete(end)));
    pipeline(near, far, near, () => {});
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isCut = false;
    },
    close: () => {
      server.close();
      cut();
    },
  };
}
