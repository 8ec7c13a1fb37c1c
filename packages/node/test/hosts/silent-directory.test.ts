/**
 * A shared directory that stops answering at the servers, as NFS whose server is gone: calls that wait
 * for it hold up no others.
 */
import type { Wire } from '@steading/api'
import { diskSilent, storagePoolProblems } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { blankDisk, until } from '../../../control-plane/test/support/things.ts'
import { silenceableAt, silenceMissing } from '../../../libvirt/test/support/file-systems.ts'
import { hostsMissing } from '../../../libvirt/test/support/hosts-in-namespaces.ts'
import { openCloud } from '../support/cloud-of-hosts.ts'
import { signIn } from '../support/process.ts'

const missing = hostsMissing() ?? silenceMissing()
if (missing !== undefined) console.warn(`A silent directory of all hosts is left out: ${missing}.`)

/** More than a server has threads for files. */
const MANY = 8

test.skipIf(missing !== undefined)(
  'users sign in and see their instances while the directory of all hosts is silent @long',
  async () => {
    let directory: Awaited<ReturnType<typeof silenceableAt>> | undefined
    const { servers, shared, call, start, runs, view } = await openCloud(1, {
      prepare: async (path) => void (directory = await silenceableAt(path)),
    })
    const url = servers.hosts[0]!.url
    const { cookie } = servers
    const ask = (path: string, options: RequestInit = {}) =>
      fetch(url + path, { ...options, headers: { cookie, 'content-type': 'application/json' } })
    await start('mill')
    await runs('mill')
    await call('POST', '/v1/disks?project=work', blankDisk('spare'))
    await until(
      () => call<Wire.Disk>('GET', '/v1/disks/spare?project=work'),
      ({ state }) => expect(state.state).toBe('detached'),
    )

    directory!.silence()
    const many = (path: string, options?: RequestInit) =>
      Array.from({ length: MANY }, () => ask(path, options))
    const outputs = many('/v1/instances/mill/serial-console?project=work&from_start=0')
    const contents = many('/x/v1/disks/spare/checksum?project=work')
    await call('POST', '/v1/snapshots?project=work', {
      name: 'late',
      description: '',
      disk: 'spare',
    })
    await start('later', { disks: [] })

    // Without a thread or a turn, these would wait until the directory answers.
    await Promise.all(Array.from({ length: MANY }, () => signIn(url)))
    expect((await ask('/login/main/local')).status).toBe(200)
    expect((await view('mill')).run_state).toBe('running')
    for (const answer of await Promise.all(outputs)) {
      expect(answer.status).toBe(503)
      expect(((await answer.json()) as Wire.Error).message).toContain(
        storagePoolProblems.silent(shared),
      )
    }
    for (const answer of await Promise.all(contents)) {
      expect(answer.status).toBe(503)
      expect(((await answer.json()) as Wire.Error).message).toBe(diskSilent)
    }
    await Promise.all(Array.from({ length: MANY }, () => signIn(url)))

    directory!.answer()
    await runs('later')
    await until(
      () => call<Wire.Snapshot>('GET', '/v1/snapshots/late?project=work'),
      ({ state }) => expect(state).toBe('ready'),
    )
    expect((await ask('/v1/instances/mill/serial-console?project=work&from_start=0')).status).toBe(
      200,
    )
  },
)
