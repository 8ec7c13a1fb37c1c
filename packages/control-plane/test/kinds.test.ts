/** What is declared of each kind of thing fits together, and with the operations of the contract. */
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
 * Kinds that are no rows of a resource: there is one fleet, policies are sets of role assignments,
 * and firewall rules are sets of a VPC.
 */
const notStored: KindName[] = ['fleet', 'policy', 'audit_log', 'vpc_firewall_rule']
const stored = kindNames.filter((kind) => !notStored.includes(kind))

describe.each(kindNames)('the kind %s', (kind) => {
  const declared = kindTable[kind]

  test('makes reads stale that the contract has', () => {
    expect(declared.reads.filter((id) => !(id in operationTable))).toEqual([])
    expect([...new Set<string>(declared.reads)]).toEqual(declared.reads)
  })

  test('has a parent that is declared', () => {
    expect([undefined, ...kindNames]).toContain(declared.parent)
    expect(declared.selectors === undefined || declared.parent !== undefined).toBe(true)
  })

  test('is stored, unless its things are not rows', () => {
    if (notStored.includes(kind)) expect(() => storedKind(kind)).toThrow('no resource stores')
    else expect(storedKind(kind).kind).toBe(kind)
  })
})

test('the kinds that are listed are those with a search', () => {
  const searched = stored.filter((kind) => storedKind(kind).search)
  expect([...listedKinds].sort()).toEqual([...searched].sort())
})

test('permissions of operations name kinds that there are', () => {
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
    // Snapshots are taken of disks, also where instances are chosen.
    const actor = action === 'snapshot' ? 'disk' : kind
    const step = storedKind(actor).steps?.[action]
    expect(step).toBeDefined()
    expect(operationTable[step!.operation].permission).toEqual(step!.needs)
  })
})

describe.each(deletionOrder)('when %s is deleted', (kind) => {
  test('there is a step for it, and the columns that plans look at', () => {
    expect(storedKind(kind).steps?.delete).toBeDefined()
    expect(storedKind(kind).deletion?.columns).toBeDefined()
  })

  test('things that have to be deleted first come first', () => {
    const place = deletionOrder.indexOf(kind)
    for (const one of deletionRule(kind).after) {
      expect(deletionOrder.indexOf(one as typeof kind)).toBeLessThan(place)
      expect(deletionOrder).toContain(one)
    }
  })

  test('things that can go along with it have a relation to it', () => {
    const along = deletionRule(kind).along ?? []
    expect(along.filter((one) => !relationTo(kind, one as typeof kind))).toEqual([])
  })

  test('things that are inside of it name it', () => {
    const columns = contentsOf(kind).map((one) => storedKind(one).deletion?.columns)
    expect(columns.filter((one) => !one?.[`${kind}_id` as keyof typeof one])).toEqual([])
  })

  test('a caller without roles is refused', () => {
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

test('a kind that an operation does not mention cannot be looked up: that does not compile', () => {
  const fine = (ctx: Context<'disk_view'>) => lookup(ctx, 'disk', 'data')
  // @ts-expect-error disk_view says nothing of instances
  const wrong = (ctx: Context<'disk_view'>) => lookup(ctx, 'instance', 'box')
  // @ts-expect-error an operation about the session says nothing of projects
  const session = (ctx: Context<'job_create'>) => lookup(ctx, 'project', 'work')
  // @ts-expect-error a helper that does not know its operation has nothing to ask for
  const any = (ctx: Context<OperationId>) => lookup(ctx, 'disk', 'data')
  expect([fine, wrong, session, any]).toHaveLength(4)
})
