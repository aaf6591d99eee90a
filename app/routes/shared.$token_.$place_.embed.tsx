/** One file of a link to many, for a frame on any page of any site. */
export { default, handle, loader } from "./share.$id_.embed.tsx";
