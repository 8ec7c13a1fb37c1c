import {
  access,
  expandRoles,
  type Grant,
  operationProblem,
  permissionProblem,
  permits,
  projectRoles,
  type KindName,
  type SiloRole,
  siloRoles,
  strongestRole,
} from '@steading/api/rules'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const none = { fleet: [], silo: [], project: [] }
const sorted = (grants: Iterable<Grant>): Grant[] => [...grants].sort()

describe('roles imply', () => {
  test('weaker roles of the same level', () => {
    expect(sorted(expandRoles({ ...none, fleet: ['admin'] }))).toEqual([
      'fleet.admin',
      'fleet.collaborator',
      'fleet.viewer',
    ])
    expect(sorted(expandRoles({ ...none, fleet: ['viewer'] }))).toEqual(['fleet.viewer'])
    expect(sorted(expandRoles({ ...none, project: ['limited_collaborator'] }))).toEqual([
      'project.limited_collaborator',
      'project.viewer',
    ])
  })

  test.each<[SiloRole, SiloRole[]]>([
    ['admin', ['admin', 'collaborator', 'limited_collaborator', 'viewer']],
    ['collaborator', ['admin', 'collaborator', 'limited_collaborator', 'viewer']],
    ['limited_collaborator', ['limited_collaborator', 'viewer']],
    ['viewer', ['viewer']],
  ])('silo %s gives on every project: %s', (role, onProjects) => {
    const grants = expandRoles({ ...none, silo: [role] })
    expect(projectRoles.filter((name) => grants.has(`project.${name}`))).toEqual(onProjects)
  })

  test('nothing across from the fleet into a silo, and nothing upwards', () => {
    const fromFleet = expandRoles({ ...none, fleet: ['admin'] })
    expect([...fromFleet].every((grant) => grant.startsWith('fleet.'))).toBe(true)
    const fromProject = expandRoles({ ...none, project: ['admin'] })
    expect([...fromProject].every((grant) => grant.startsWith('project.'))).toBe(true)
  })
})

test('nothing in another silo', () => {
  const held = {
    grants: expandRoles({ ...none, fleet: ['viewer'], silo: ['admin'] }),
    fleetKnown: true,
  }
  expect(permissionProblem('silo', 'modify', held)).toBeUndefined()
  expect(permissionProblem('silo', 'modify', { ...held, elsewhere: true })).toBe(
    'Needs fleet collaborator; you are viewer',
  )
  expect(permissionProblem('silo', 'read', { ...held, elsewhere: true })).toBeUndefined()
  expect(permissionProblem('silo_group', 'modify', { ...held, elsewhere: true })).toBe(
    'It is in another silo',
  )
})

test('additional roles never reduce permissions', () => {
  const held = fc.record({
    fleet: fc.subarray(['admin', 'collaborator', 'viewer'] as const),
    silo: fc.subarray([...siloRoles]),
    project: fc.subarray([...projectRoles]),
  })
  const kinds = Object.keys(access) as KindName[]
  const actions = ['read', 'list', 'create', 'modify'] as const
  fc.assert(
    fc.property(held, held, (some, others) => {
      const fewer = expandRoles(some)
      const more = expandRoles({
        fleet: [...some.fleet, ...others.fleet],
        silo: [...some.silo, ...others.silo],
        project: [...some.project, ...others.project],
      })
      const lost = kinds.flatMap((kind) =>
        actions.filter((action) => permits(kind, action, fewer) && !permits(kind, action, more)),
      )
      expect(lost).toEqual([])
    }),
  )
})

test('a predicted refusal holds whatever the fleet roles', () => {
  const held = fc.record({
    fleet: fc.subarray(['admin', 'collaborator', 'viewer'] as const),
    silo: fc.subarray([...siloRoles]),
    project: fc.subarray([...projectRoles]),
  })
  const kinds = Object.keys(access) as KindName[]
  const actions = ['read', 'list', 'create', 'modify'] as const
  fc.assert(
    fc.property(held, (roles) => {
      const known = { grants: expandRoles({ ...roles, fleet: [] }), fleetKnown: false }
      const wrong = kinds.flatMap((kind) =>
        actions.filter(
          (action) =>
            permissionProblem(kind, action, known) && permits(kind, action, expandRoles(roles)),
        ),
      )
      expect(wrong).toEqual([])
    }),
  )
})

test("a refusal names the required role and the caller's own", () => {
  const viewer = { grants: expandRoles({ ...none, silo: ['viewer'] }), fleetKnown: true }
  expect(permissionProblem('disk', 'modify', viewer)).toBe(
    'Needs project limited collaborator; you are viewer',
  )
  expect(permissionProblem('silo', 'modify', viewer)).toBe('Needs silo admin; you are viewer')
  expect(permissionProblem('fleet', 'modify', viewer)).toBe(
    'Needs fleet admin; you have no role on the fleet',
  )
  const needs = { image: 'modify', silo_image: 'create' } as const
  expect(operationProblem(needs, viewer)).toBe('Needs project limited collaborator; you are viewer')
  const member = { grants: expandRoles({ ...none, project: ['admin'] }), fleetKnown: true }
  expect(operationProblem(needs, member)).toBeUndefined()
  expect(operationProblem(needs, member, ['image', 'silo_image'])).toBe(
    'Needs silo limited collaborator; you have no role on the silo',
  )
})

test('every role that may change a thing may also see it', () => {
  const roles: Grant[] = [
    ...(['admin', 'collaborator', 'viewer'] as const).map((r): Grant => `fleet.${r}`),
    ...siloRoles.map((r): Grant => `silo.${r}`),
    ...projectRoles.map((r): Grant => `project.${r}`),
  ]
  const blind = (Object.keys(access) as KindName[]).flatMap((kind) =>
    roles
      .filter((role) => {
        const [level, name] = role.split('.') as ['fleet' | 'silo' | 'project', SiloRole]
        const grants = expandRoles({ ...none, [level]: [name] })
        if (level === 'silo') grants.add('silo.user')
        return permits(kind, 'modify', grants) && !permits(kind, 'read', grants)
      })
      .map((role) => `${role} of ${kind}`),
  )
  expect(blind).toEqual([])
})

test('the strongest role is found', () => {
  expect(strongestRole([])).toBeUndefined()
  expect(strongestRole(['viewer', 'collaborator', 'limited_collaborator'])).toBe('collaborator')
  expect(strongestRole(['viewer', 'admin'])).toBe('admin')
})
