/** The northbound database is kept level, whatever others and crashes do to it. */
import fc from 'fast-check'
import { compile, type NetworkRows, type Vpc } from '@steading/network'
import { describe, expect, test } from 'vitest'
import { worlds } from '../../network/test/support/random-world.ts'
import { addRule, bastionWorld } from '../../network/test/support/world.ts'
import { Disconnected, openNorthbound, rowsOfVpc } from '../src/index.ts'
import { databaseMissing, startDatabase } from './support/database.ts'
import { settings } from './support/settings.ts'

const ID = 'vpc shop'

const shop = (change: (rows: NetworkRows) => void = () => {}): Vpc => {
  const rows = bastionWorld()
  change(rows)
  return compile(rows).vpcs.get(ID)!
}

const rowsOf = (change?: (rows: NetworkRows) => void) => rowsOfVpc(shop(change), settings)

/** Everything in a database without its UUIDs and counters. */
function contents(nbctl: (...args: string[]) => string): string[] {
  const tables = [
    'ACL',
    'NAT',
    'DHCP_Options',
    'Address_Set',
    'Port_Group',
    'Logical_Router_Policy',
  ]
  const others = [
    'Logical_Switch_Port',
    'Logical_Router_Port',
    'Logical_Router_Static_Route',
    'DNS',
  ]
  return [...tables, ...others, 'Logical_Switch', 'Logical_Router']
    .flatMap((table) => {
      const listed = nbctl('--format=json', 'list', table)
      const { headings, data } = JSON.parse(listed) as { headings: string[]; data: unknown[][] }
      const isPlain = (value: unknown) => !JSON.stringify(value).includes('"uuid"')
      return data.map(
        (row) =>
          `${table} ${JSON.stringify(row.filter((value, at) => headings[at] !== '_uuid' && isPlain(value)))}`,
      )
    })
    .sort()
}

describe.skipIf(databaseMissing() !== undefined)('a northbound database', () => {
  const open = (path: string, owner = 'one') =>
    openNorthbound({ remote: path, owner, log: () => {} })

  test('gets the rows of a VPC once, and only changes afterwards', async () => {
    const database = await startDatabase()
    const northbound = await open(database.path)
    expect(await northbound.apply(ID, 1, rowsOf())).toEqual({ version: 1, changed: true })
    expect(await northbound.apply(ID, 1, rowsOf())).toEqual({ version: 1, changed: false })
    const before = contents(database.nbctl)
    const changed = (rows: NetworkRows) =>
      addRule(rows, 'shop', 'web', { filters: { ports: ['80'], protocols: [{ type: 'tcp' }] } })
    await northbound.apply(ID, 2, rowsOf(changed))
    expect(
      database.nbctl(
        '--bare',
        '--columns=match',
        'find',
        'ACL',
        'external_ids:steading-key="rule web"',
      ),
    ).toContain('tcp.dst == {80}')
    expect(northbound.list()).toEqual([{ vpcId: ID, version: 2 }])
    await northbound.apply(ID, 3, rowsOf())
    const isOfVersion = (row: string) => row.startsWith('Logical_Router [')
    expect(contents(database.nbctl).filter((row) => !isOfVersion(row))).toEqual(
      before.filter((row) => !isOfVersion(row)),
    )
    northbound.close()
  })

  test('a late call with an older version has no effect', async () => {
    const database = await startDatabase()
    const northbound = await open(database.path)
    await northbound.apply(ID, 7, rowsOf())
    const before = contents(database.nbctl)
    const late = await northbound.apply(ID, 6, [])
    expect(late).toEqual({ version: 7, changed: false })
    expect(contents(database.nbctl)).toEqual(before)
    northbound.close()
  })

  test('what others have changed in it is mended, and their own rows stay', async () => {
    const database = await startDatabase()
    const northbound = await open(database.path)
    await northbound.apply(ID, 1, rowsOf())
    const before = contents(database.nbctl)
    const { nbctl } = database
    const [acl] = nbctl('--bare', '--columns=_uuid', 'find', 'ACL', 'action=drop').split('\n')
    nbctl('set', 'ACL', acl!, 'action=allow')
    nbctl('lr-policy-del', 'vpc-vpc shop')
    nbctl('lsp-del', 'nic db 0')
    nbctl('ls-add', 'somebody-elses')
    await expect.poll(async () => (await northbound.apply(ID, 1, rowsOf())).changed).toBe(true)
    await expect.poll(async () => (await northbound.apply(ID, 1, rowsOf())).changed).toBe(false)
    expect(nbctl('ls-list')).toContain('somebody-elses')
    nbctl('ls-del', 'somebody-elses')
    expect(contents(nbctl)).toEqual(before)
    northbound.close()
  })

  test('has nothing of a removed VPC, and everything of those of other installations', async () => {
    const database = await startDatabase()
    const [own, other] = [await open(database.path), await open(database.path, 'two')]
    await own.apply(ID, 1, rowsOf())
    const foreign = compile(bastionWorld()).vpcs.get(ID)!
    const renamed = rowsOfVpc(
      { ...foreign, row: { ...foreign.row, id: 'theirs' }, subnets: [], interfaces: [] },
      settings,
    )
    await other.apply('theirs', 1, renamed)
    await own.remove(ID)
    expect(own.list()).toEqual([])
    expect(contents(database.nbctl).filter((row) => row.includes('"one"'))).toEqual([])
    expect(other.list()).toEqual([{ vpcId: 'theirs', version: 1 }])
    own.close()
    other.close()
  })

  test('ends at the newest version when several servers apply at once', async () => {
    const database = await startDatabase()
    const servers = await Promise.all(Array.from({ length: 4 }, () => open(database.path)))
    const ported = (port: number) => (rows: NetworkRows) =>
      addRule(rows, 'shop', 'web', { filters: { ports: [String(port)] } })
    for (let round = 0; round < 5; round++) {
      const versions = servers.map((_, at) => round * 10 + at + 1)
      await Promise.all(
        servers.map((server, at) => server.apply(ID, versions[at]!, rowsOf(ported(versions[at]!)))),
      )
      const newest = versions.at(-1)!
      const match = database.nbctl(
        '--bare',
        '--columns=match',
        'find',
        'ACL',
        'external_ids:steading-key="rule web"',
      )
      expect(match).toContain(`tcp.dst == {${newest}}`)
      expect(match.trim().split('\n')).toHaveLength(1)
    }
    for (const server of servers) server.close()
  })

  test('may be killed at any moment: calls fail meanwhile, and go on afterwards', async () => {
    const database = await startDatabase()
    const northbound = await open(database.path)
    await northbound.apply(ID, 1, rowsOf())
    const changed = rowsOf((rows) => addRule(rows, 'shop', 'web', {}))
    const applying = northbound.apply(ID, 2, changed).catch((error: unknown) => error)
    await database.kill()
    const outcome = await applying
    if (!(outcome instanceof Disconnected)) expect(outcome).toMatchObject({ version: 2 })
    await expect(northbound.apply(ID, 3, rowsOf())).rejects.toBeInstanceOf(Disconnected)
    await database.start()
    await expect
      .poll(() => northbound.apply(ID, 4, rowsOf()).catch(() => undefined))
      .toMatchObject({ version: 4 })
    expect(await northbound.apply(ID, 4, rowsOf())).toEqual({ version: 4, changed: false })
    northbound.close()
  })

  test('is not waited for without end where no chassis answers, or when it has gone', async () => {
    const database = await startDatabase()
    const northbound = await open(database.path)
    await expect(northbound.inEffect(undefined, 1)).rejects.toThrow('no effect in time')
    const waiting = northbound.inEffect().catch((error: unknown) => error)
    await database.kill()
    expect(await waiting).toBeInstanceOf(Disconnected)
    northbound.close()
  })

  test('gets from any VPC to any other by its differences', async () => {
    const database = await startDatabase()
    const northbound = await open(database.path)
    let version = 0
    await fc.assert(
      fc.asyncProperty(worlds, worlds, async (a, b) => {
        for (const rows of [a, b]) {
          const desired = rowsOfVpc(compile(rows).vpcs.get(ID)!, settings)
          await northbound.apply(ID, ++version, desired)
          const again = await northbound.apply(ID, version, desired)
          expect(again).toEqual({ version, changed: false })
        }
        const stepped = contents(database.nbctl).filter(
          (row) => !row.startsWith('Logical_Router ['),
        )
        await northbound.remove(ID)
        await northbound.apply(ID, version, rowsOfVpc(compile(b).vpcs.get(ID)!, settings))
        const fresh = contents(database.nbctl).filter((row) => !row.startsWith('Logical_Router ['))
        expect(stepped).toEqual(fresh)
      }),
      { numRuns: process.env.STEADING_LONG_TESTS === '1' ? 200 : 5 },
    )
    northbound.close()
  })
})
