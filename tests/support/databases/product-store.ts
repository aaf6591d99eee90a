/** The documents of a product under test: in an engine below its data directory, or in a database of its own on the given MongoDB. */
import { join } from "node:path";
import { findRunningEngine } from "#db/local/engine.ts";
import { givenMongoDB, newGivenDatabase } from "./given-mongodb.ts";

type ProductStore = {
  /** For the launcher. */
  variables: Record<string, string>;
  /** For the commands of its Procfile. */
  commandVariables: string;
  findUri(): Promise<string>;
  remove(): Promise<void>;
};

export function newProductStore(dataDir: string): ProductStore {
  return givenMongoDB ? storeOnServer(givenMongoDB) : storeInEngine(dataDir);
}

function storeInEngine(dataDir: string): ProductStore {
  const findUri = async () => {
    const engine = await findRunningEngine(join(dataDir, "engine"));
    if (!engine) throw new Error(`No engine runs in ${dataDir}.`);
    return engine.uri;
  };
  return { variables: {}, commandVariables: "", findUri, remove: async () => {} };
}

/** The product keeps its own secrets and the local sign-in, which belong to the embedded default. */
function storeOnServer(server: string): ProductStore {
  const { uri, drop } = newGivenDatabase(server, "product");
  const variables = { MONGODB_URI: uri, NODE_ENV: "production" };
  return { variables, commandVariables: "CODESHELF_EMBEDDED=1", findUri: async () => uri, remove: drop };
}
