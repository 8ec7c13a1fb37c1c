/** Where the trail of a page about instances leads; of the parameters of a route. */
export const instancesPath = ({ project }: Record<string, string>): string =>
  `/projects/${project}/instances`

/** The page that creates an instance. */
export const instanceCreatePath = (project: string): string =>
  `/projects/${encodeURIComponent(project)}/instances-new`
