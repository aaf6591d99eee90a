import { type Document, type MongoClient, MongoError } from "mongodb";

/** The disk of the embedded engine; a MongoDB says nothing about its own. */
export type Disk = { askIsFull(): Promise<boolean>; refuseIfFull(): Promise<void> };

/** A fault of the store; its class is the driver's, which both copies of this module know. */
class DiskFull extends MongoError {
  override get name() {
    return "DiskFull";
  }
}

/** Refuses new content while the disk is full, so that the reserved room is left for deletions. */
export function watchDisk(client: MongoClient, hello: () => Promise<Document>): Disk {
  let isFull = false;
  const read = ({ diskFull }: Document) => (isFull = diskFull === true);
  const askIsFull = async () => read(await hello());
  client.on("serverHeartbeatSucceeded", ({ reply }) => void read(reply));
  return {
    askIsFull,
    async refuseIfFull() {
      if (isFull && (await askIsFull())) throw new DiskFull("The disk is full");
    },
  };
}
