/** The product that all journeys of a run share. Each file of journeys has its own administrator and reader in it. */
import { type Product, startProduct } from "./product.ts";

export type SharedProduct = Pick<Product, "url" | "dataDir" | "signInPath"> & { storeUri: string };

const FILES_MAX = 50;

/** The ids of the two people of a file of journeys; those of file 0 can sign in locally. */
export const stagePeople = (fileNumber: number) => ({
  "Local administrator": String(10 * fileNumber + 1),
  "Local reader": String(10 * fileNumber + 2),
});

export async function startSharedProduct(): Promise<SharedProduct & Pick<Product, "lines" | "stop">> {
  const administrators = Array.from({ length: FILES_MAX }, (_, n) => stagePeople(n)["Local administrator"]);
  const product = await startProduct({
    variables: {
      // The journeys make repositories to mirror on this machine.
      CODEHOST_ALLOW_LOCAL: "1",
      LOG_LEVEL: "debug",
      // All journeys sign in from one address.
      RATE_LIMIT_WRITES_PER_MINUTE: "6000",
      ADMIN_USER_IDS: administrators.join(),
    },
  });
  const { url, dataDir, signInPath, lines, stop } = product;
  return { url, dataDir, signInPath, storeUri: await product.findStoreUri(), lines, stop };
}
