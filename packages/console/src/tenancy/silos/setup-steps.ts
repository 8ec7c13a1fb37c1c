import type { Silo, SiloRolePolicy, VirtualResourceCounts } from '@steading/api/client'
import type { ConsolePath } from '@steading/api/rules'

/** Facts that decide which steps of the setup are done. */
export type SetupFacts = {
  hasUsers: boolean
  hasProviders: boolean
  hasPools: boolean
  quotas: VirtualResourceCounts
  policy: SiloRolePolicy
}

export type SetupStep = {
  id: 'identity' | 'pool' | 'quota' | 'admin'
  title: string
  why: string
  done: boolean
  /** Where it is done, on pages of the silo. */
  links: { label: string; to: ConsolePath }[]
}

type Setup = Pick<Silo, 'identityMode' | 'adminGroupName'>

const users = { label: 'Create a user', to: '/system/silos/$silo/users' } as const
const access = { label: 'Assign a role', to: '/system/silos/$silo/access' } as const

function whyAdmin({ identityMode, adminGroupName }: Setup, hasUsers: boolean): string {
  if (identityMode === 'local_only') {
    return hasUsers
      ? 'The role Admin lets a user create others and projects.'
      : 'The first user can get the role Admin when it is created.'
  }
  return adminGroupName
    ? `The group ${adminGroupName} becomes it once the identity provider sends it.`
    : 'Users and groups can get the role Admin once they have signed in for the first time.'
}

/**
 * The steps until a silo can be used, in their order.
 * @param facts as read from the control plane
 * @param hasOidc whether silos may have OpenID Connect providers
 */
export function setupSteps(silo: Setup, facts: SetupFacts, hasOidc: boolean): SetupStep[] {
  const { hasUsers, hasProviders, hasPools, quotas, policy } = facts
  const isLocal = silo.identityMode === 'local_only'
  return [
    {
      id: 'identity',
      done: hasUsers || hasProviders,
      ...(isLocal
        ? {
            title: 'Create a user',
            why: 'Users of this silo sign in with passwords.',
            links: [users],
          }
        : {
            title: 'Add an identity provider',
            why: 'Users of this silo sign in through it.',
            links: [
              { label: 'Add a SAML provider', to: '/system/silos/$silo/idps-new' },
              ...(hasOidc
                ? [
                    {
                      label: 'Add an OpenID provider',
                      to: '/system/silos/$silo/idps-new-oidc',
                    } as const,
                  ]
                : []),
            ],
          }),
    },
    {
      id: 'pool',
      title: 'Link an IP pool',
      why: 'Without one, instances are not reachable from outside.',
      done: hasPools,
      links: [{ label: 'Open the IP pools', to: '/system/silos/$silo/ip-pools' }],
    },
    {
      id: 'quota',
      title: 'Set the quotas',
      why: 'Where a quota is 0, no instance can start or no disk can be created.',
      done: quotas.cpus > 0 && quotas.memory > 0 && quotas.storage > 0,
      links: [{ label: 'Open the quotas', to: '/system/silos/$silo/quotas' }],
    },
    {
      id: 'admin',
      title: 'Appoint an administrator',
      why: whyAdmin(silo, hasUsers),
      done: policy.roleAssignments.some(({ roleName }) => roleName === 'admin'),
      links: [isLocal && !hasUsers ? users : access],
    },
  ]
}
