import { GiB } from '@steading/api/rules'
import { describe, expect, test } from 'vitest'
import { type SetupFacts, setupSteps } from '../src/tenancy/silos/setup-steps.ts'

const nothing: SetupFacts = {
  hasUsers: false,
  hasProviders: false,
  hasPools: false,
  quotas: { cpus: 0, memory: 0, storage: 0 },
  policy: { roleAssignments: [] },
}
const local = { identityMode: 'local_only' } as const
const saml = { identityMode: 'saml_jit' } as const

const doneOf = (facts: Partial<SetupFacts>) =>
  setupSteps(local, { ...nothing, ...facts }, true).flatMap(({ id, done }) => (done ? [id] : []))
const linksOf = (silo: Parameters<typeof setupSteps>[0], facts: Partial<SetupFacts>, oidc = true) =>
  Object.fromEntries(
    setupSteps(silo, { ...nothing, ...facts }, oidc).map(({ id, links }) => [
      id,
      links.map(({ to }) => to.replace('/system/silos/$silo/', '')),
    ]),
  )

describe('steps of a new silo', () => {
  const role = (roleName: 'admin' | 'viewer') => ({
    roleAssignments: [{ identityId: 'otto', identityType: 'silo_user' as const, roleName }],
  })

  test('are done by their facts', () => {
    expect(doneOf({})).toEqual([])
    expect(doneOf({ hasUsers: true })).toEqual(['identity'])
    expect(doneOf({ hasProviders: true })).toEqual(['identity'])
    expect(doneOf({ hasPools: true })).toEqual(['pool'])
    expect(doneOf({ quotas: { cpus: 1, memory: GiB, storage: GiB } })).toEqual(['quota'])
    expect(doneOf({ policy: role('admin') })).toEqual(['admin'])
  })

  test('a quota of 0 leaves its step open, and so does a weaker role', () => {
    expect(doneOf({ quotas: { cpus: 1, memory: GiB, storage: 0 } })).toEqual([])
    expect(doneOf({ policy: role('viewer') })).toEqual([])
  })

  test('lead to where they are done', () => {
    expect(linksOf(local, {})).toEqual({
      identity: ['users'],
      pool: ['ip-pools'],
      quota: ['quotas'],
      admin: ['users'],
    })
    expect(linksOf(local, { hasUsers: true }).admin).toEqual(['access'])
    expect(linksOf(saml, {}).identity).toEqual(['idps-new', 'idps-new-oidc'])
    expect(linksOf(saml, {}, false).identity).toEqual(['idps-new'])
    expect(linksOf(saml, {}).admin).toEqual(['access'])
  })

  test('the step of the administrator names the group that the provider sends', () => {
    const silo = { identityMode: 'saml_scim', adminGroupName: 'brewers' } as const
    const [, , , admin] = setupSteps(silo, nothing, true)
    expect(admin?.why).toContain('brewers')
  })
})
