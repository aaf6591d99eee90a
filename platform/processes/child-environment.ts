/**
 * Returns the complete environment of a child process. The framework's types require NODE_ENV in every environment; our
 * children may have none.
 */
export function childEnvironment(variables: Record<string, string | undefined>): NodeJS.ProcessEnv {
  return variables as NodeJS.ProcessEnv;
}
