/** Listens, and serves each connection one message after the other. What one connection sends never ends another. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Connection, Engine } from "./commands/request.ts";
import { executeMessage } from "./commands/table.ts";
import { SWEEP_MS, sweepExpired } from "./ttl.ts";
import { buildReply, FrameError, MAX_MESSAGE_BYTES, parseMessage, splitFrames } from "./wire.ts";

const MAX_CONNECTIONS = 1_000;
/** Connections that may wait to be accepted; a unix socket refuses beyond. */
const BACKLOG = 1_024;
/** Before login a message is a handshake, and a client has this long for it. */
const MAX_STRANGER_BYTES = 64 * 1024;
const LOGIN_MS = 10_000;
const CURSOR_SWEEP_MS = 60_000;
const SESSION_SWEEP_MS = 60_000;
const ROOM_CHECK_MS = 1_000;

export type Report = (name: string, fields: Record<string, unknown>) => void;

async function writeAndDrain(socket: Socket, bytes: Buffer): Promise<void> {
  if (socket.write(bytes)) return;
  await new Promise<void>((resolve) => {
    socket.once("drain", resolve);
    socket.once("close", resolve);
  });
}

async function serve(socket: Socket, engine: Engine, connection: Connection, report: Report): Promise<void> {
  const limit = (): number => (connection.authenticated ? MAX_MESSAGE_BYTES : MAX_STRANGER_BYTES);
  let responses = 0;
  for await (const frame of splitFrames(socket, limit)) {
    const message = parseMessage(frame);
    const reply = await executeMessage(message, engine, connection, (error) =>
      report("engine_fault", { error: error instanceof Error ? error.stack : String(error) }),
    );
    if (!reply) return;
    if (connection.authenticated) socket.setTimeout(0);
    if (!message.silent) await writeAndDrain(socket, buildReply(message, ++responses, reply));
  }
}

type Place = { path: string } | { host: string; port: number };

export interface Running {
  /** Listens at one more place. */
  listen(place: Place): Promise<Server>;
  /** Ends all connections and the sweeps; resolves when nothing runs any more. */
  stop(): Promise<void>;
}

function sweepSessions(engine: Engine, report: Report): void {
  try {
    engine.sessions.sweep(Date.now());
  } catch (error) {
    report("session_sweep_failed", { reason: (error as Error).message });
  }
}

function checkRoom({ store: { room } }: Engine, report: Report): void {
  const wasFull = room.isFull;
  try {
    room.check();
  } catch (error) {
    report("disk_not_checked", { reason: (error as Error).message });
  }
  if (room.isFull !== wasFull) report(room.isFull ? "disk_full" : "disk_has_room", {});
}

export function toAddress(server: Server): string {
  const address = server.address() as AddressInfo | string;
  return typeof address === "string" ? address : `${address.address}:${address.port}`;
}

/** A connection over the socket needs no password, because only its owner can open the directory. */
function acceptConnections(place: Place, engine: Engine, sockets: Set<Socket>, report: Report): Server {
  const server = createServer({ noDelay: true }, (socket) => {
    const connection: Connection = {
      id: ++engine.connections.total,
      authenticated: "path" in place,
      conversation: undefined,
      appName: undefined,
    };
    engine.connections.current++;
    sockets.add(socket);
    if (!connection.authenticated) socket.setTimeout(LOGIN_MS, () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      engine.connections.current--;
      sockets.delete(socket);
    });
    serve(socket, engine, connection, report)
      .catch((error: Error & { code?: string }) => {
        if (error instanceof FrameError)
          report("frame_refused", { connection: connection.id, reason: error.message });
        else if (!socket.destroyed)
          report("connection_failed", { connection: connection.id, reason: error.message });
      })
      .finally(() => socket.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

export function startServer(engine: Engine, report: Report): Running {
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const timers = [
    setInterval(() => engine.cursors.expireIdle(Date.now()), CURSOR_SWEEP_MS),
    setInterval(() => {
      sweepSessions(engine, report);
    }, SESSION_SWEEP_MS),
    setInterval(() => checkRoom(engine, report), ROOM_CHECK_MS),
    setInterval(() => {
      sweepExpired(engine.store, Date.now()).catch((error: Error) =>
        report("ttl_sweep_failed", { reason: error.message }),
      );
    }, SWEEP_MS),
  ];
  return {
    async listen(place) {
      const server = acceptConnections(place, engine, sockets, report);
      server.listen({ ...place, backlog: BACKLOG });
      await once(server, "listening");
      servers.push(server);
      return server;
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  };
}
