/** Events of libvirt, by a daemon of the test. */
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Libvirt, openLibvirt } from '../../src/native/libvirt.ts'
import { openDomains } from '../../src/native/domains.ts'
import type { Disconnection, DomainEvent, Domains } from '../../src/native/types.ts'
import { type OwnDaemon, startOwnDaemon } from '../support/own-daemon.ts'

let daemon: OwnDaemon
beforeEach(async () => {
  daemon = await startOwnDaemon()
  onTestFinished(daemon.end)
})

type Event = DomainEvent | Disconnection

/** The next event of a kind. */
const next = ({ subscribe }: Pick<Domains, 'subscribe'>, wanted: string): Promise<Event> =>
  new Promise((resolve) => {
    const end = subscribe((event) => {
      if (event.kind !== wanted) return
      end()
      resolve(event)
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
      expect(await told).toMatchObject({ uuid: ours.id })
    }
  }
})

test('the end of the daemon is told', async () => {
  const { libvirt } = await open()
  const told = next(libvirt, 'disconnected')
  daemon.signal('SIGKILL')
  expect(await told).toEqual({ kind: 'disconnected' })
})

test('connections of one process share the event loop, and one goes on without the other', async () => {
  const uri = daemon.uri('test', 'default')
  const [first, second] = [await openDomains(uri), await openDomains(uri)]
  const [id] = (await first.statuses()).keys()
  await second.statuses()
  const [one, other] = [next(first, 'lifecycle'), next(second, 'lifecycle')]
  await first.destroy(id!)
  expect(await Promise.all([one, other])).toMatchObject([{ uuid: id }, { uuid: id }])
  await first.close()
  const again = next(second, 'lifecycle')
  await second.create(id!)
  expect(await again).toMatchObject({ uuid: id })
  await second.close()
  // The loop has ended, and begins again.
  const third = await openDomains(uri)
  await third.statuses()
  const last = next(third, 'lifecycle')
  await third.destroy(id!)
  expect(await last).toMatchObject({ uuid: id })
  await third.close()
})
