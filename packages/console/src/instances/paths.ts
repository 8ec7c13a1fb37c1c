/** The page that creates an instance. */
export const instanceCreatePath = (project: string): string =>
  `/projects/${encodeURIComponent(project)}/instances-new`
