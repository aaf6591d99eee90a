/** `--quick`: sizes for a look within minutes instead of a measurement to write down. */
export const quick = process.argv.includes("--quick");

/** `--name=12`, or what is taken without it. */
export const option = (name: string, otherwise: number): number =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split("=")[1] ?? otherwise);

/** `--name=some,words`, or nothing. */
export const words = (name: string): string[] | undefined =>
  process.argv
    .find((word) => word.startsWith(`--${name}=`))
    ?.slice(name.length + 3)
    .split(",");
