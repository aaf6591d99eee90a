const LOOPBACK_ADDRESS = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i;

/** True for socket or listening addresses of this machine only. */
export function isLoopbackAddress(address: string): boolean {
  return LOOPBACK_ADDRESS.test(address);
}

/** Also takes the names that people write for listening. */
export function isLoopbackName(name: string): boolean {
  return name.toLowerCase() === "localhost" || isLoopbackAddress(name);
}
