const LOOPBACK_ADDRESS = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i;

/** Whether an address of a socket, or one to listen on, is this machine and nobody else. */
export function isLoopbackAddress(address: string): boolean {
  return LOOPBACK_ADDRESS.test(address);
}

/** As people write it to listen on. */
export function isLoopbackName(name: string): boolean {
  return name.toLowerCase() === "localhost" || isLoopbackAddress(name);
}
