/** The declarations of each kind match each other and the operations of the contract. */
import { type OperationId, operationTable } from '@steading/api'
import {
  bulkActions,
  contentsOf,
  deletionOrder,
  deletionRule,
  type JobTargetKind,
  type KindName,
  kindNames,
  kindTable,
  listedKinds,
} from '@steading/api/rules'
import { describe, expect, test } from 'vitest'
import { compose } from '../src/kernel/compose.ts'
import type { Context } from '../src/kernel/context.ts'
import { storedKind } from '../src/kernel/kinds.ts'
import { lookup } from '../src/kernel/lookup.ts'
import { stepForbidden } from '../src/kernel/step-permission.ts'
import { relationTo } from '../src/resources/workspace/deletion/relations.ts'
import { declarations } from '../src/resources/index.ts'

compose(declarations)

/**
 * Kinds without rows of their own: there is one fleet, policies are sets of role assignments, and
 * firewall rules are sets of a VPC.
 */
const notStored: KindName[] = ['fleet', 'policy', 'audit_log', 'vpc_firewall_rule']
const stored = kindNames.filter((kind) => !notStored.includes(kind))

describe.each(kindNames)('the kind %s', (kind) => {
  const declared = kindTable[kind]

  test('makes only existing reads stale', () => {
    const { reads = [] } = declared
    expect(reads.filter((id) => !(id in operationTable))).toEqual([])
    expect([...new Set<string>(reads)]).toEqual(reads)
  })

  test('has a declared parent', () => {
    expect([undefined, ...kindNames]).toContain(declared.parent)
    expect(declared.selectors === undefined || declared.parent !== undefined).toBe(true)
  })

  test('is stored, unless its things have no rows', () => {
    if (notStored.includes(kind)) expect(() => storedKind(kind)).toThrow('no resource stores')
    else expect(storedKind(kind).kind).toBe(kind)
  })
})

test('exactly the kinds with a search are listed', () => {
  const searched = stored.filter((kind) => storedKind(kind).search)
  expect([...listedKinds].sort()).toEqual([...searched].sort())
})

test('permissions of operations name existing kinds', () => {
  const named = Object.values(operationTable).flatMap(({ permission }) =>
    typeof permission === 'object' ? Object.keys(permission) : [],
  )
  expect([...new Set(named)].filter((kind) => !(kind in kindTable))).toEqual([])
})

describe.each(stored.filter((kind) => kindTable[kind].bulk))('in bulk, %s', (kind) => {
  const target = kind as JobTargetKind

  test('is found by a search of the contract', () => {
    expect(operationTable[storedKind(kind).search!.operation].scan?.sort).toBe('column')
  })

  test.each(bulkActions(target))('can be asked to %s', (action) => {
    // Snapshots are taken of disks, even where instances are selected.
    const actor = action === 'snapshot' ? 'disk' : kind
    const step = storedKind(actor).steps?.[action]
    expect(step).toBeDefined()
    // Tagging needs the permission to modify the resource, whatever its kind.
    const permission =
      action === 'tag'
        ? Object.fromEntries(Object.keys(step!.requiredActions).map((one) => [one, 'modify']))
        : operationTable[step!.operation].permission
    expect(permission).toEqual(step!.requiredActions)
    expect(step!.requiredActions).toHaveProperty(actor)
  })
})

describe.each(deletionOrder)('when %s is deleted', (kind) => {
  test('has a step for it, and the columns for plans', () => {
    expect(storedKind(kind).steps?.delete).toBeDefined()
    expect(storedKind(kind).deletion?.columns).toBeDefined()
  })

  test('comes after the kinds that have to be deleted first', () => {
    const place = deletionOrder.indexOf(kind)
    for (const one of deletionRule(kind).after) {
      expect(deletionOrder.indexOf(one as typeof kind)).toBeLessThan(place)
      expect(deletionOrder).toContain(one)
    }
  })

  test('has a relation to the kinds that can be deleted along', () => {
    const cascades = deletionRule(kind).cascades ?? []
    expect(cascades.filter((one) => !relationTo(kind, one as typeof kind))).toEqual([])
  })

  test('is named by the kinds inside of it', () => {
    const columns = contentsOf(kind).map((one) => storedKind(one).deletion?.columns)
    expect(columns.filter((one) => !one?.[`${kind}_id` as keyof typeof one])).toEqual([])
  })

  test('is refused to a caller without roles', () => {
    const nobody = {
      userId: 'u',
      displayName: 'nobody',
      siloId: 's',
      siloName: 'main',
      fleetRoles: [],
      siloRoles: [],
      projectRoles: new Map(),
    }
    expect(stepForbidden(nobody, 'delete', kind, { siloId: 's', projectId: 'p' })).toBe('Forbidden')
  })
})

test('looking up a kind that the operation does not declare does not compile', () => {
  const fine = (ctx: Context<'disk_view'>) => lookup(ctx, 'disk', 'data')
  // @ts-expect-error disk_view says nothing of instances
  const wrong = (ctx: Context<'disk_view'>) => lookup(ctx, 'instance', 'box')
  // @ts-expect-error an operation about the session says nothing of projects
  const session = (ctx: Context<'job_create'>) => lookup(ctx, 'project', 'work')
  // @ts-expect-error a helper that does not know its operation has nothing to ask for
  const any = (ctx: Context<OperationId>) => lookup(ctx, 'disk', 'data')
  expect([fine, wrong, session, any]).toHaveLength(4)
})
