declare module "*.css?url" {
  const href: string;
  export default href;
}

declare module "*.css?inline" {
  const css: string;
  export default css;
}
