/** The guest that counts on its disk, in a QEMU without libvirt: what it writes passes the check. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GiB } from '@steading/api/rules'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'
import {
  countingDisk,
  faultsOf,
  RECORD_BYTES,
  RECORDS_AT,
  recordsOf,
  type Report,
  reportsIn,
} from '../support/counting-guest.ts'

const BOOTS = 2
/** Reports before the guest is killed. */
const REPORTS = 3

test('the counting guest goes on where the boot before it was killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'steading-counting-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'disk')
  const disk = openSync(path, 'w+')
  onTestFinished(() => closeSync(disk))
  writeSync(disk, countingDisk())
  ftruncateSync(disk, GiB)

  const reports: Report[] = []
  for (let boot = 0; boot < BOOTS; boot++) {
    const drive = `file=${path},format=raw,if=virtio`
    const args = ['-m', '64', '-drive', drive, '-display', 'none', '-serial', 'stdio']
    const qemu = spawn('qemu-system-x86_64', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(qemu, 'exit')
    onTestFinished(() => void qemu.kill('SIGKILL'))
    let output = ''
    qemu.stdout.setEncoding('latin1').on('data', (text: string) => (output += text))
    await until(
      async () => reportsIn(output),
      (found) => expect(found.length).toBeGreaterThan(REPORTS),
    )
    qemu.kill('SIGKILL')
    await ended
    reports.push(...reportsIn(output))
  }

  const bytes = new Uint8Array(1000 * RECORD_BYTES)
  readSync(disk, bytes, 0, bytes.length, RECORDS_AT)
  const records = recordsOf(bytes)
  expect(faultsOf(records, reports)).toEqual([])
  expect(new Set(records.map((record) => record?.boot)).size).toBe(BOOTS)
})
