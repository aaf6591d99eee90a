/** The product under test: started as people start it, with writers of every kind and access to its store. */
import { connectMongo, type Db } from "#db/client.ts";
import { freePort } from "#db/local/processes/free-port.ts";
import { type Product, startProduct } from "#tests/support/product/product.ts";
import { type Caller, signIn } from "./caller.ts";
import { fileWriter } from "./file-writer.ts";
import { contentWriter, reminderWriter, taskWriter } from "./note-writers.ts";
import { runWriter } from "./run-writer.ts";
import type { Writer } from "./writer.ts";

const UNLIMITED = "1000000";

export type Stage = {
  product: Product;
  caller: Caller;
  /** This many of each kind; programs have one writer. */
  writers(ofEach: number): Promise<Writer[]>;
  inStore<T>(look: (db: Db) => Promise<T>): Promise<T>;
};

export async function startStage(): Promise<Stage> {
  const product = await startProduct({
    port: await freePort(0),
    variables: {
      RATE_LIMIT_REQUESTS_PER_MINUTE: UNLIMITED,
      RATE_LIMIT_WRITES_PER_MINUTE: UNLIMITED,
      RATE_LIMIT_UPLOADS_PER_MINUTE: UNLIMITED,
      RATE_LIMIT_CODE_RUNS_PER_MINUTE: UNLIMITED,
      LOG_LEVEL: "error",
    },
  });
  const caller = await signIn(product);
  return {
    product,
    caller,
    async writers(ofEach) {
      const writers: Writer[] = [runWriter(caller, "runs")];
      for (let i = 0; i < ofEach; i += 1)
        writers.push(
          fileWriter(caller, `file-${i}`),
          await contentWriter(caller, `content-${i}`),
          await taskWriter(caller, `tasks-${i}`),
          await reminderWriter(caller, `reminder-${i}`),
        );
      return writers;
    },
    async inStore(look) {
      const mongo = await connectMongo(await product.findStoreUri(), { appName: "codeshelf-crash" });
      return look({ ...mongo.collections, emit: () => {} }).finally(() => mongo.close());
    },
  };
}
