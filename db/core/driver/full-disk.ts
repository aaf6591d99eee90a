import { type Document, type MongoClient, MongoError } from "mongodb";

/** The disk of the embedded engine; MongoDB does not report its own. */
export type Disk = { askIsFull(): Promise<boolean>; refuseIfFull(): Promise<void> };

/** A storage fault. Its base class is the driver's, which both copies of this module share. */
class DiskFull extends MongoError {
  override get name() {
    return "DiskFull";
  }
}

/** Refuses new content while the disk is full, so that the reserved space is left for deletions. */
export function watchDisk(client: MongoClient, hello: () => Promise<Document>): Disk {
  let isFull = false;
  const update = ({ diskFull }: Document) => (isFull = diskFull === true);
  const askIsFull = async () => update(await hello());
  client.on("serverHeartbeatSucceeded", ({ reply }) => void update(reply));
  return {
    askIsFull,
    async refuseIfFull() {
      if (isFull && (await askIsFull())) throw new DiskFull("The disk is full");
    },
  };
}
