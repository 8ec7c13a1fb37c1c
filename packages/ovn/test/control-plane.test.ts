/** What callers of the API change about networks is what packets do: a control plane with an OVN. */
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { long } from '../../control-plane/test/support/long.ts'
import { allow, type Guest, instance, newPath, start } from './support/cloud.ts'
import { openWorld, ovnMissing, type World } from './support/open-world.ts'
import { INTERNET, OUTSIDE } from './support/probes.ts'

const pidIn = async (world: World, file: string): Promise<string> =>
  (await world.run('cat', file)).trim()

const aPortGroup = async (world: World): Promise<string> => {
  const names = await world.run('ovn-nbctl', '--bare', '--columns=name', 'list', 'Port_Group')
  return names.trim().split('\n')[0]!
}

let probes = 0

interface Trial {
  from: string
  source: string
  to: string
  port: number
  answered: boolean
}

/**
 * Tries connections until those are answered that should be.
 * @returns the trials as they went
 */
async function tried(world: World, trials: readonly Trial[]): Promise<Trial[]> {
  const sent = trials.map((trial) => ({ ...trial, id: `trial ${++probes}` }))
  for (const { id, from, source, to, port } of sent) {
    world.send(from, [{ id, protocol: 'tcp', source, destination: to, port }])
  }
  const expected = sent.filter(({ answered }) => answered)
  await world.until(() => expected.every(({ id }) => world.answered.has(id)))
  for (const { from, id } of sent) world.forget(from, [id])
  return sent.map(({ id, ...trial }) => ({ ...trial, answered: world.answered.has(id) }))
}

describe.skipIf(ovnMissing() !== undefined)('with OVN', () => {
  test('rules of the API decide about packets between instances and from outside', async () => {
    const world = await openWorld()
    onTestFinished(world.end)
    const path = newPath()
    const first = await start(world, path)
    await world.place(OUTSIDE)
    const shop = await first.project('shop')
    const web = await shop.addGuest('web', [{ type: 'ephemeral' }])
    const db = await shop.addGuest('db')
    const third = await shop.addGuest('third')
    const trial = (from: Guest, to: Guest, answered: boolean, port = 5432): Trial => ({
      from: from.name,
      source: from.address,
      to: to.address,
      port,
      answered,
    })
    const external = await shop.externalIpOf('web')
    const fromOutside = (port: number, answered: boolean): Trial => ({
      from: OUTSIDE.name,
      source: INTERNET[0],
      to: external,
      port,
      answered,
    })

    const goes = async (...trials: Trial[]) => expect(await tried(world, trials)).toEqual(trials)

    await shop.writeRules(
      allow('database', 'db', instance('web'), '5432'),
      allow('site', 'web', undefined, '80'),
    )
    await first.settled('shop')
    await goes(
      trial(web, db, true),
      trial(third, db, false),
      trial(web, db, false, 22),
      fromOutside(80, true),
      fromOutside(22, false),
    )

    // Without a server, the rules stay as they are.
    await first.stop()
    await goes(trial(web, db, true), trial(third, db, false))
    const second = await start(world, path)
    await second.call('PUT', '/v1/vpc-firewall-rules?project=shop&vpc=default', {
      rules: [allow('database', 'db', instance('third'), '5432')],
    })
    await second.settled('shop')
    await goes(trial(third, db, true), trial(web, db, false), fromOutside(80, false))
  })

  test('packets do what the rows say after each part of OVN was killed @long', async () => {
    const world = await openWorld()
    onTestFinished(world.end)
    const server = await start(world, newPath())
    const shop = await server.project('shop')
    const [one, two] = [await shop.addGuest('one'), await shop.addGuest('two')]
    const trial = (from: Guest, to: Guest, answered: boolean): Trial => ({
      from: from.name,
      source: from.address,
      to: to.address,
      port: 5432,
      answered,
    })
    // Not Open vSwitch: its end takes the devices of the end points with it.
    for (const [round, part] of ['northd', 'controller', 'nb', 'sb'].entries()) {
      const pidFile = join(dirname(world.northbound), `${part}.pid`)
      const command = (await world.run('cat', `/proc/${await pidIn(world, pidFile)}/cmdline`))
        .split('\0')
        .filter(Boolean)
      await world.run('kill', '-9', await pidIn(world, pidFile))
      const to = round % 2 === 0 ? 'two' : 'one'
      await shop.writeRules(allow('database', to, undefined, '5432'))
      expect(await server.statusOf('shop'), part).toMatchObject({ behind: true })
      await world.run(...(command as [string, ...string[]]))
      await server.settled('shop')
      const trials = [trial(one, two, to === 'two'), trial(two, one, to === 'one')]
      expect(await tried(world, trials), part).toEqual(trials)
    }
  })

  test('a server that stops at any moment leaves networks that the next one finishes', async () => {
    const world = await openWorld()
    onTestFinished(world.end)
    const path = newPath()
    let server = await start(world, path)
    const shop = await server.project('shop')
    const [one, two] = [await shop.addGuest('one'), await shop.addGuest('two')]
    for (let round = 0; round < (long ? 20 : 3); round++) {
      const to = round % 2 === 0 ? 'two' : 'one'
      await server.call('PUT', '/v1/vpc-firewall-rules?project=shop&vpc=default', {
        rules: [allow('database', to, undefined, '5432')],
      })
      await server.stop()
      // Somebody tidies up what is not theirs.
      if (round === 1) await world.run('ovn-nbctl', 'pg-del', await aPortGroup(world))
      server = await start(world, path)
      await server.level('shop')
      const trials = [
        { from: one, to: two, answered: to === 'two' },
        { from: two, to: one, answered: to === 'one' },
      ].map(({ from, to: target, answered }): Trial => ({
        from: from.name,
        source: from.address,
        to: target.address,
        port: 5432,
        answered,
      }))
      expect(await tried(world, trials)).toEqual(trials)
    }
  })
})
