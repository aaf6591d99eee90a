import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const { hostname, port } = new URL(web.url);

/** The head of the answer to a request as it is written here. */
function send(head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${head}\r\nConnection: close\r\n\r\n`),
    );
    let text = "";
    socket.on("data", (piece) => (text += piece)).on("error", reject);
    socket.on("end", () => resolve(text.split("\r\n")[0] ?? ""));
  });
}

describe("a request", () => {
  it.each([
    ["a name", "GET /login HTTP/1.1\r\nHost: shelf.example:8080"],
    ["an address", "GET /login HTTP/1.1\r\nHost: [::1]:3000"],
    ["an old client without one", "GET /login HTTP/1.0"],
  ])("is answered with %s as its Host", async (_, head) => {
    expect(await send(head)).toMatch(/ 200 /);
  });

  it.each([
    ["a Host with a person in it", "GET /login HTTP/1.1\r\nHost: 127.0.0.1@evil.example"],
    ["a Host with a path in it", "GET /login HTTP/1.1\r\nHost: a/b"],
    ["an address of another server", `GET http://evil.example/login HTTP/1.1\r\nHost: ${hostname}:${port}`],
  ])("is refused with %s, and that is no fault", async (_, head) => {
    const lines = web.log.length;
    expect(await send(head)).toMatch(/ 400 /);
    expect(web.log.slice(lines).filter((line) => line.includes('"severity":"error"'))).toEqual([]);
  });
});
