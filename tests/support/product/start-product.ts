/** `node start-product.ts`: a product of the tests as a process of its own, which says where it keeps its documents and runs until SIGTERM. */
import { startProduct } from "#tests/support/product/product.ts";

const { DATABASE_URL } = process.env;
const product = await startProduct({ variables: DATABASE_URL ? { DATABASE_URL } : {} });
process.once("SIGTERM", () => product.stop());
console.log(`ready ${product.url} ${await product.findStoreUri()}`);
