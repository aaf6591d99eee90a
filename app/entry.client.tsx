/**
 * What JavaScript adds to pages that work without it: each behaviour is a file of `enhance/`, imported here. Pages are
 * rendered on the server and are not rendered again in the browser, so neither React nor the routes are loaded by it.
 */
export {};
