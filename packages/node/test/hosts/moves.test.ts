/** Guests that move from host to host, of which one loses its power meanwhile. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Wire } from '@steading/api'
import { instanceEventSentences } from '@steading/api/rules'
import { expect, onTestFinished, test } from 'vitest'
import { FENCED_STORY } from '../../../control-plane/test/support/hosts.ts'
import { eventually } from '../support/cloud-events.ts'
import { domainsOn, openCloud } from '../support/cloud-of-hosts.ts'
import { startCounting } from '../support/counting-instances.ts'
import { everyServer } from '../support/every-server.ts'
import {
  type PoweredHost,
  powerSwitchesMissing,
  withPowerSwitches,
} from '../support/powered-hosts.ts'

const missing = powerSwitchesMissing()
if (missing !== undefined) console.warn(`Moves between hosts are left out: ${missing}.`)

const virsh = ({ socketUri }: PoweredHost, ...args: string[]): string =>
  execFileSync('virsh', ['-q', '-c', socketUri, ...args], { encoding: 'utf8' })

/** A cloud of two hosts with an instance that counts, and moves from one to the other. */
async function withCounting() {
  const cloud = await openCloud(2, { variables: { STEADING_AUTO_RESTART_COOLDOWN: '1' } })
  const hosts = await withPowerSwitches(cloud)
  const every = everyServer(() => cloud.servers.hosts.map(({ url }) => url), cloud.servers.cookie)
  const { call } = every
  const counting = await startCounting(every, ['one'])
  const [instance] = counting.instances
  const { id } = instance!
  const position = () => call<Wire.InstanceSledView>('GET', `/x/v1/instances/${id}/sled`)
  const counts = () => counting.countsOn(instance!)
  await counts()
  const { sled } = await position()
  const from = hosts.find(({ sledId }) => sledId === sled!.id)!
  const to = hosts.find((host) => host !== from)!
  const check = async () => (await counting.check())[0]!
  return {
    from,
    to,
    position,
    counts,
    check,
    domain: domainsOn(from)[0]!,
    move: () =>
      call<Wire.InstanceMove>(
        'POST',
        `/x/v1/system/hardware/sleds/${from.sledId}/instances/${id}/move`,
        { sled_id: to.sledId },
      ),
    /** Waits until it runs on one host alone, after the other one died, and checks what is told. */
    async expectItRunsOn(host: PoweredHost, dead: PoweredHost) {
      await eventually(
        () => call<Wire.HostStory>('GET', `/x/v1/system/hosts/${dead.id}/story`),
        ({ events }) => expect(events.map(({ kind }) => kind)).toEqual(FENCED_STORY),
      )
      await counts()
      expect((await position()).sled?.id).toBe(host.sledId)
      expect(domainsOn(host, '--all')).toHaveLength(1)
      const { host_story } = await call<Wire.InstanceFailureView>(
        'GET',
        `/x/v1/instances/${id}/failure`,
      )
      expect(host_story?.events.map(({ sentence }) => sentence)).toEqual(
        FENCED_STORY.map((kind) => instanceEventSentences[kind]),
      )
      const { faults, records, boots } = await check()
      expect(faults).toEqual([])
      expect(records).toBeGreaterThan(boots)
    },
  }
}

test.skipIf(missing !== undefined)(
  'a guest whose host loses its power while it moves starts once, on the other host @long',
  async () => {
    const { from, to, domain, position, move, expectItRunsOn } = await withCounting()
    // A MiB a second: it lasts until the power is cut.
    virsh(from, 'migrate-setspeed', domain, '1')
    const { id } = await move()
    await eventually(position, (seen) =>
      expect(seen.move).toMatchObject({ id, progress: expect.anything() }),
    )
    await from.off()
    await expectItRunsOn(to, from)
    const { move: ended } = await position()
    expect(ended).toMatchObject({ id, state: 'failed' })
    // The connection breaks at once, or the host is proven dead first.
    expect(ended!.reason).toMatch(/could not move it: |proven dead/)
  },
)

test.skipIf(missing !== undefined)(
  'a guest whose new host loses its power just when it goes on there starts once, where it was @long',
  async () => {
    const { from, to, domain, position, move, expectItRunsOn } = await withCounting()
    const events = spawn('virsh', ['-c', to.socketUri, 'event', '--event', 'lifecycle', '--loop'])
    onTestFinished(() => void events.kill())
    const lines = createInterface(events.stdout)
    const { promise: isThere, resolve } = Promise.withResolvers<void>()
    lines.on('line', (line) => {
      // libvirt tells its other end next.
      if (line.includes(domain) && line.includes('Resumed')) resolve()
    })
    await once(events, 'spawn')
    const { id } = await move()
    await isThere
    await to.off()
    await expectItRunsOn(from, to)
    // Its server may have seen it there.
    const { move: ended } = await position()
    expect(ended).toMatchObject({ id, state: expect.stringMatching(/^(moved|failed)$/) })
  },
)

test.skipIf(missing !== undefined)(
  'a guest stays on its host when the server loses its connection to that while it moves @long',
  async () => {
    const { from, to, domain, position, move, counts, check } = await withCounting()
    virsh(from, 'migrate-setspeed', domain, '1')
    const { id } = await move()
    await eventually(position, (seen) =>
      expect(seen.move).toMatchObject({ id, progress: expect.anything() }),
    )
    // libvirt ends a move whose asker is gone.
    execFileSync('pkill', ['-KILL', '-f', `^/usr/bin/ssh .* ${from.ip.replaceAll('.', '[.]')} `])
    await eventually(position, (seen) =>
      expect(seen).toMatchObject({ sled: { id: from.sledId }, move: { id, state: 'failed' } }),
    )
    await counts()
    await eventually(
      async () => domainsOn(to, '--all'),
      (found) => expect(found).toEqual([]),
    )
    expect(await check()).toMatchObject({ faults: [], boots: 1 })
  },
)
