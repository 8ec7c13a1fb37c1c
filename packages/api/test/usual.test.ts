import { expect, test } from 'vitest'
import { record, uuid } from '../src/schema.ts'
import { usual } from '../src/kinds/usual.ts'

const item = record('UsualItem', { id: uuid })

/**
 * A permission with its type, which decides about the lookups of handlers. `openapi.json` has the
 * other columns, so a change of them shows there.
 */
const permissionOf = <P>(operation: { permission: P }): P => operation.permission

test('a search is the list as an extension, with sorting, filters and a count of each', () => {
  const { disk_search } = usual('disk', { item })({
    disk_search: { columns: ['size'], filters: { state: ['creating', 'detached'] } },
  })
  expect(disk_search).toMatchObject({
    method: 'GET',
    path: '/x/v1/disks',
    summary: 'Search, filter and sort the disks of a project',
    scan: { sort: 'column', required: ['project'] },
  })
  expect(disk_search.scan?.modes).toContain('size_descending')
  expect(Object.keys(disk_search.query ?? {})).toEqual(
    expect.arrayContaining(['project', 'search', 'state', 'count_by']),
  )
})

test('a kind inside a project is listed and created by rights to its container', () => {
  const rows = usual('vpc_subnet', { item })({
    vpc_subnet_list: {},
    vpc_subnet_search: {},
    vpc_subnet_create: {},
    vpc_subnet_view: {},
  })
  const list: { readonly vpc: 'list' } = permissionOf(rows.vpc_subnet_list)
  const search: { readonly vpc: 'list' } = permissionOf(rows.vpc_subnet_search)
  const create: { readonly vpc: 'create' } = permissionOf(rows.vpc_subnet_create)
  const view: { readonly vpc_subnet: 'read' } = permissionOf(rows.vpc_subnet_view)
  expect({ list, search, create, view }).toEqual({
    list: { vpc: 'list' },
    search: { vpc: 'list' },
    create: { vpc: 'create' },
    view: { vpc_subnet: 'read' },
  })
})

test('a kind outside of projects is listed and created by rights to the kind', () => {
  const rows = usual('sled', { item, id: 'host' })({
    host_list: {},
    host_create: {},
    host_delete: {},
  })
  const list: { readonly sled: 'list' } = permissionOf(rows.host_list)
  const create: { readonly sled: 'create' } = permissionOf(rows.host_create)
  const remove: { readonly sled: 'modify' } = permissionOf(rows.host_delete)
  expect([list, create, remove]).toEqual([{ sled: 'list' }, { sled: 'create' }, { sled: 'modify' }])
})

test('an action modifies its resource, and a read beneath a resource reads it', () => {
  const rows = usual('disk', { item })({
    disk_wipe: { summary: 'Wipe a disk' },
    disk_part_list: { route: 'GET parts', summary: 'List parts' },
  })
  const wipe: { readonly disk: 'modify' } = permissionOf(rows.disk_wipe)
  const list: { readonly disk: 'read' } = permissionOf(rows.disk_part_list)
  expect([wipe, list]).toEqual([{ disk: 'modify' }, { disk: 'read' }])
  expect(rows.disk_wipe).toMatchObject({ method: 'POST', path: '/v1/disks/{disk}/wipe' })
  expect(rows.disk_part_list).toMatchObject({ method: 'GET', path: '/v1/disks/{disk}/parts' })
})

test('a stated permission comes before that of all rows', () => {
  const rows = usual('ssh_key', { item, permission: 'session' })({
    ssh_key_list: { permission: { silo: 'list' } },
    ssh_key_view: {},
  })
  const list: { readonly silo: 'list' } = permissionOf(rows.ssh_key_list)
  const view: 'session' = permissionOf(rows.ssh_key_view)
  expect([list, view]).toEqual([{ silo: 'list' }, 'session'])
})

test('a row without a summary, a route or an answer is refused if none is usual', () => {
  expect(() => usual('disk', { item })({ disk_wipe: {} })).toThrow('wipe of disk has no summary')
  expect(() => usual('disk', { item })({ image_list: {} })).toThrow(
    'image_list of disk has no route',
  )
  const summary = 'Show the parts of a disk'
  for (const row of [{ route: 'GET parts', summary } as const, { summary }]) {
    expect(() => usual('disk')({ disk_parts: row })).toThrow('parts of disk has no answer')
  }
  expect(() => usual('disk')({ disk_delete: {} })).not.toThrow()
})
