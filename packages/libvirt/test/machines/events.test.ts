/** Events of libvirt, by a daemon of the test. */
import { beforeEach, onTestFinished, test } from 'vitest'
import { type Libvirt, openLibvirt } from '../../src/native/libvirt.ts'
import { openDomains } from '../../src/native/domains.ts'
import type { Domains } from '../../src/native/types.ts'
import { type OwnDaemon, startOwnDaemon } from '../support/own-daemon.ts'

let daemon: OwnDaemon
beforeEach(async () => {
  daemon = await startOwnDaemon()
  onTestFinished(daemon.end)
})

/** The next event of a kind. */
const next = ({ subscribe }: Pick<Domains, 'subscribe'>, wanted: string): Promise<void> =>
  new Promise((resolve) => {
    const end = subscribe(({ kind }) => {
      if (kind !== wanted) return
      end()
      resolve()
    })
  })

async function open(): Promise<{ libvirt: Libvirt; id: string }> {
  const libvirt = await openLibvirt(daemon.uri('test', 'default'))
  onTestFinished(libvirt.close)
  const [id] = (await libvirt.statuses()).keys()
  return { libvirt, id: id! }
}

test('a change by somebody else is told, also after others', async () => {
  const [ours, theirs] = [await open(), await open()]
  for (let round = 0; round < 3; round++) {
    for (const change of ['destroy', 'create'] as const) {
      const told = next(ours.libvirt, 'lifecycle')
      await theirs.libvirt[change](ours.id)
      await told
    }
  }
})

test('the end of the daemon is told', async () => {
  const { libvirt } = await open()
  const told = next(libvirt, 'disconnected')
  daemon.signal('SIGKILL')
  await told
})

test('connections of one process share the event loop, and one goes on without the other', async () => {
  const uri = daemon.uri('test', 'default')
  const [first, second] = [await openDomains(uri), await openDomains(uri)]
  const [id] = (await first.statuses()).keys()
  await second.statuses()
  const [one, other] = [next(first, 'lifecycle'), next(second, 'lifecycle')]
  await first.destroy(id!)
  await Promise.all([one, other])
  await first.close()
  const again = next(second, 'lifecycle')
  await second.create(id!)
  await again
  await second.close()
  // The loop has ended, and begins again.
  const third = await openDomains(uri)
  await third.statuses()
  const last = next(third, 'lifecycle')
  await third.destroy(id!)
  await last
  await third.close()
})
