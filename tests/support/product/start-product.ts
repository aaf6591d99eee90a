/** `node start-product.ts`: a product under test as a separate process, which prints the address of its store and runs until SIGTERM. */
import { startProduct } from "#tests/support/product/product.ts";

const { DATABASE_URL } = process.env;
const product = await startProduct({ variables: DATABASE_URL ? { DATABASE_URL } : {} });
process.once("SIGTERM", () => product.stop());
console.log(`ready ${product.url} ${await product.findStoreUri()}`);
