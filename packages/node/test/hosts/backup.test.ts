/** A cloud of several hosts that is backed up while it runs, and restored after it was lost. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Wire } from '@steading/api'
import { expect, test } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'
import { hostsMissing } from '../../../libvirt/test/support/hosts-in-namespaces.ts'
import { tryLock } from '../../src/data-lock.ts'
import { startHost } from '../kill/host-process.ts'
import { openCloud } from '../support/cloud-of-hosts.ts'
import { startCounting, watchCounting } from '../support/counting-instances.ts'
import { everyServer } from '../support/every-server.ts'
import { runToEnd, signIn, temporaryDirectory } from '../support/process.ts'

const missing = hostsMissing()
if (missing !== undefined) console.warn(`The backup of a cloud is left out: ${missing}.`)

test.skipIf(missing !== undefined)(
  'a cloud is backed up while an instance moves, and comes back after all of it was lost @long',
  async () => {
    const { hosts, shared, place, env, servers, call, added, sledOf } = await openCloud(2)
    const run = (...args: string[]) => runToEnd(args, env)
    const urls = () => servers.hosts.map(({ url }) => url)
    const counting = await startCounting(everyServer(urls, servers.cookie), ['one', 'two'])
    for (const instance of counting.instances) await counting.countsOn(instance)

    // Every report that was read before the backup has begun is in it.
    await counting.read()
    const reported = counting.instances.map((one) => ({ ...one, reports: [...one.reports] }))
    const from = await sledOf('one')
    const to = added.find(({ sled_id }) => sled_id !== from)!.sled_id!
    const { id } = counting.instances[0]!
    await call('POST', `/x/v1/system/hardware/sleds/${from}/instances/${id}/move`, { sled_id: to })
    const file = join(temporaryDirectory(), 'cloud.backup')
    const other = tryLock(join(shared, '.backup'))
    const refused = await run('backup', file, '--data', place.data)
    expect(refused.stderr).toContain('another backup is being made')
    other!.release()
    const backup = await run('backup', file, '--data', place.data)
    expect(backup).toMatchObject({ code: 0, stderr: '' })
    for (const instance of counting.instances) await counting.countsOn(instance)
    await until(
      () => sledOf('one'),
      (sled) => expect(sled).toBe(to),
    )

    // The disks of a guest that is out of reach cannot be kept.
    const cut = hosts[added.findIndex(({ sled_id }) => sled_id === to)]!
    cut.link(false)
    const lacking = join(temporaryDirectory(), 'lacking.backup')
    const cannot = await run('backup', lacking, '--data', place.data)
    expect(cannot.stderr).toMatch(
      /^steading: a disk of the running instance \S+ cannot be kept: .+\n$/,
    )
    expect(existsSync(lacking)).toBe(false)
    cut.link(true)

    // The same directory is refused, and so are machines on the host of the server.
    const data = join(temporaryDirectory(), 'restored')
    const restore = (...options: string[]) => run('restore', file, '--data', data, ...options)
    expect((await restore()).stderr).toContain(`the directory ${shared} is not empty`)
    const { STEADING_SHARED_DIRECTORY: _, ...onThisHost } = env
    const elsewhere = await runToEnd(['restore', file, '--data', data], onThisHost)
    expect(elsewhere.stderr).toContain('give --shared-directory an empty directory')

    await servers.kill(0)
    for (const host of hosts) await host.kill()
    for (const host of hosts) await host.boot()
    const again = join(shared, 'again')
    mkdirSync(again)
    expect(await restore('--shared-directory', again)).toMatchObject({ code: 0 })
    const variables = { ...env, STEADING_SHARED_DIRECTORY: again }
    const { url } = await startHost(data, undefined, variables)
    const restored = everyServer(() => [url], await signIn(url))
    for (const { name } of reported) {
      await until(
        () => restored.call<Wire.Instance>('GET', `/v1/instances/${name}?project=work`),
        ({ run_state }) => expect(run_state).toBe('running'),
      )
    }
    const counted = watchCounting(restored, reported)
    for (const instance of counted.instances) {
      const before = instance.reports.length
      await until(
        async () => instance.reports.length,
        (length) => expect(length).toBeGreaterThan(before),
      )
    }
    const results = await counted.check()
    expect(results.map(({ name, faults }) => [name, faults])).toEqual([
      ['one', []],
      ['two', []],
    ])
  },
)
