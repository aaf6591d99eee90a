/** A client whose events are kept in the order they happened, and whose connections in use are counted. */
import {
  type CommandStartedEvent,
  type CommandSucceededEvent,
  type Document,
  MongoClient,
  type MongoClientOptions,
} from "mongodb";

export interface ObservedEvent {
  /** The format's name, e.g. commandStartedEvent. */
  type: string;
  event: Document;
}

/** The driver's name of each event, by kind of monitoring. */
const EVENTS = {
  command: {
    commandStartedEvent: "commandStarted",
    commandSucceededEvent: "commandSucceeded",
    commandFailedEvent: "commandFailed",
  },
  cmap: {
    poolCreatedEvent: "connectionPoolCreated",
    poolReadyEvent: "connectionPoolReady",
    poolClearedEvent: "connectionPoolCleared",
    poolClosedEvent: "connectionPoolClosed",
    connectionCreatedEvent: "connectionCreated",
    connectionReadyEvent: "connectionReady",
    connectionClosedEvent: "connectionClosed",
    connectionCheckOutStartedEvent: "connectionCheckOutStarted",
    connectionCheckOutFailedEvent: "connectionCheckOutFailed",
    connectionCheckedOutEvent: "connectionCheckedOut",
    connectionCheckedInEvent: "connectionCheckedIn",
  },
  sdam: {
    serverDescriptionChangedEvent: "serverDescriptionChanged",
    serverHeartbeatStartedEvent: "serverHeartbeatStarted",
    serverHeartbeatSucceededEvent: "serverHeartbeatSucceeded",
    serverHeartbeatFailedEvent: "serverHeartbeatFailed",
    topologyDescriptionChangedEvent: "topologyDescriptionChanged",
    topologyOpeningEvent: "topologyOpening",
    topologyClosedEvent: "topologyClosed",
  },
} as const satisfies Record<string, Record<string, string>>;

type EventKind = keyof typeof EVENTS;

const SENSITIVE = new Set(
  [
    "authenticate",
    "saslStart",
    "saslContinue",
    "getnonce",
    "createUser",
    "updateUser",
    "copydbgetnonce",
    "copydbsaslstart",
    "copydb",
  ].map((name) => name.toLowerCase()),
);

/** A greeting is sensitive when it carries credentials: the driver then publishes it empty. */
function isRedactedHello(event: CommandStartedEvent | CommandSucceededEvent): boolean {
  const content = "command" in event ? event.command : event.reply;
  return /^(hello|ismaster)$/i.test(event.commandName) && Object.keys(content ?? {}).length === 0;
}

/** Long enough for any answer, short enough that a server that never answers fails the test and not the run. */
const ANSWER_TIMEOUT_MS = 20_000;

/** The address with the test's options in place of its own of the same name. */
function withOptions(uri: string, options: Document = {}): string {
  const [address = "", query] = uri.split("?");
  const merged = new URLSearchParams(query);
  for (const [name, value] of Object.entries(options)) {
    merged.delete(name);
    for (const each of [value].flat()) merged.append(name, String(each));
  }
  return `${address.replace(/\/?$/, "/")}?${merged}`;
}

export class ObservedClient {
  readonly client: MongoClient;
  readonly events: ObservedEvent[] = [];
  connectionsInUse = 0;
  private readonly ignored: Set<string>;
  private readonly sensitiveToo: boolean;
  private watching = true;

  static async open(uri: string, spec: Document): Promise<ObservedClient> {
    const opened = new ObservedClient(uri, spec);
    const observed: string[] = spec.observeEvents ?? [];
    opened.watch("cmap", observed);
    opened.watch("sdam", observed);
    await opened.client.connect();
    opened.watch("command", observed);
    return opened;
  }

  private constructor(uri: string, spec: Document) {
    const options: MongoClientOptions = {
      serverSelectionTimeoutMS: 5_000,
      socketTimeoutMS: ANSWER_TIMEOUT_MS,
      monitorCommands: true,
    };
    // Connecting takes no connection out of the pool, so that pool events are those of the test's operations.
    Object.assign(options, { __skipPingOnConnect: true });
    if (spec.serverApi !== undefined) options.serverApi = spec.serverApi;
    this.client = new MongoClient(withOptions(uri, spec.uriOptions), options);
    this.ignored = new Set(["configureFailPoint", ...(spec.ignoreCommandMonitoringEvents ?? [])]);
    this.sensitiveToo = spec.observeSensitiveCommands === true;
    this.client.on("connectionCheckedOut", () => {
      this.connectionsInUse += 1;
    });
    this.client.on("connectionCheckedIn", () => {
      this.connectionsInUse -= 1;
    });
  }

  private watch(kind: EventKind, observed: string[]): void {
    for (const [type, name] of Object.entries(EVENTS[kind])) {
      if (!observed.includes(type)) continue;
      this.client.on(name as "commandStarted", (event: CommandStartedEvent) => {
        if (this.watching && !(kind === "command" && this.isIgnored(event)))
          this.events.push({ type, event });
      });
    }
  }

  private isIgnored(event: CommandStartedEvent | CommandSucceededEvent): boolean {
    if (this.ignored.has(event.commandName)) return true;
    return !this.sensitiveToo && (SENSITIVE.has(event.commandName.toLowerCase()) || isRedactedHello(event));
  }

  eventsOf(kind: EventKind): ObservedEvent[] {
    return this.events.filter(({ type }) => Object.hasOwn(EVENTS[kind], type));
  }

  /** Commands started so far, oldest first. */
  commands(): Document[] {
    return this.events.filter(({ type }) => type === "commandStartedEvent").map(({ event }) => event.command);
  }

  stopWatching(): void {
    this.watching = false;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
