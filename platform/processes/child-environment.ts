/**
 * The environment of a child process, which has these variables and no others. The types of the framework demand NODE_ENV in every
 * environment; a child of ours may have none.
 */
export function childEnvironment(variables: Record<string, string | undefined>): NodeJS.ProcessEnv {
  return variables as NodeJS.ProcessEnv;
}
