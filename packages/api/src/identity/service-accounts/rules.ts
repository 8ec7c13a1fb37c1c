/** Service accounts: users of a silo or a project without a person. */

/** In one project, or in a silo outside of its projects. */
export const SERVICE_ACCOUNTS_MAX = 100

/**
 * The sign-in name of a service account. It is no name that a person or an identity provider has,
 * and accounts with such a name never sign in.
 */
export const serviceAccountUserName = (id: string): string => `service-account:${id}`

export const isServiceAccountUserName = (name: string): boolean =>
  name.startsWith('service-account:')

export const serviceAccountMessages = {
  tooMany: `There can be at most ${SERVICE_ACCOUNTS_MAX} service accounts in one place`,
  onlyInProject: (name: string) =>
    `service account ${name} belongs to a project and can only have roles in it`,
  noFleetRoles: (name: string) => `service account ${name} cannot have roles on the fleet`,
  inNoGroup: (name: string) => `service account ${name} cannot be in a group`,
} as const
