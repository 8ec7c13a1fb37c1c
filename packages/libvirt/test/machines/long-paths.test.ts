/** A machine starts although the directory of libvirt has a long path. */
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { domainXml } from '../../src/domain-xml.ts'
import { openLibvirt } from '../../src/native/libvirt.ts'
import { smallSpec } from '../support/open-engines.ts'
import { startOwnDaemon } from '../support/own-daemon.ts'

/** As long as the home of a person with a long name, and the number of an old domain. */
const HOME = 'firstname.lastname'

test('a machine of a user with a long home starts', async () => {
  const daemon = await startOwnDaemon(HOME)
  onTestFinished(() => daemon.end())
  const libvirt = await openLibvirt(daemon.uri('qemu', 'session'))
  onTestFinished(() => libvirt.close())
  const sockets = join(daemon.folder, 'sockets')
  mkdirSync(sockets)
  chmodSync(sockets, 0o777)
  const of = (id: string, name: string) => join(sockets, `${id.slice(0, 8)}-${name}`)
  const xml = (id: string) =>
    domainXml({
      id,
      owner: 'owner',
      spec: smallSpec([]),
      accelerator: 'qemu',
      firmware: 'bios',
      canMove: false,
      paths: {
        seed: '/dev/null',
        nvram: '',
        log: of(id, 'log'),
        serialSocket: of(id, 'serial'),
        vncSocket: of(id, 'vnc'),
        agentSocket: of(id, 'agent'),
      },
    })
      // Nothing of this test is about the CD and the log of the console.
      .replace(/<disk .*?<\/disk>/, '')
      .replace(/<log [^>]*>/, '')
  const id = crypto.randomUUID()
  const chosenByLibvirt = xml(id).replace(/<source mode="bind" path="[^"]*agent"\/>/, '')
  await expect(libvirt.createTransient(id, chosenByLibvirt)).rejects.toThrow('too long')
  await libvirt.createTransient(id, xml(id))
  expect(await libvirt.status(id)).toMatchObject({ state: 'running' })
  await libvirt.destroy(id)
})
