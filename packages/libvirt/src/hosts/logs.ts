/** The ends of the logs of libvirt and QEMU, for support bundles. */
import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { LogPart } from '@steading/control-plane/ports'
import { domainName } from '../domain-names.ts'
import type { LibvirtOptions } from '../options.ts'
import { runProgram } from '../volumes/run-program.ts'

/** Bytes of each log. */
const TAIL_BYTES = 64 * 1024
/** Machines whose logs are included, those that have changed last first. */
const MACHINES_MAX = 100
const JOURNAL_LINES = 500
const JOURNAL_MS = 10_000
/** libvirt's daemons, of which a host runs some. */
const daemons = ['libvirtd', 'virtqemud', 'virtlogd']

/** The directory of libvirt's logs. */
function logDirectory(uri: string): string {
  if (uri.startsWith('qemu:///system')) return '/var/log/libvirt'
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'libvirt')
}

/** The last lines of a file; undefined if it cannot be read. */
async function tail(path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined)
  if (!file) return undefined
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - TAIL_BYTES)
    const data = Buffer.alloc(size - from)
    const { bytesRead } = await file.read(data, 0, data.length, from)
    const text = data.toString('utf8', 0, bytesRead)
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } catch {
    // A bundle has the other logs.
    return undefined
  } finally {
    await file.close()
  }
}

/** The lines of libvirt's daemons in the journal; undefined where there is none. */
const journal = (): Promise<string | undefined> =>
  runProgram(
    'journalctl',
    [
      '--no-pager',
      '--quiet',
      `--lines=${JOURNAL_LINES}`,
      ...daemons.flatMap((name, index) => [...(index > 0 ? ['+'] : []), `_COMM=${name}`]),
    ],
    { timeout: JOURNAL_MS },
  ).catch(() => undefined)

/**
 * @param libvirt its address, and the directory of its logs if that is not the usual one
 * @param machines ids of machines on this host, those that have changed last first
 */
export async function* logsOf(
  { uri, logs }: Pick<LibvirtOptions, 'uri' | 'logs'>,
  machines: readonly string[],
): AsyncGenerator<LogPart> {
  const directory = logs ?? logDirectory(uri)
  const session = !uri.startsWith('qemu:///system')
  for (const daemon of daemons) {
    const text = await tail(join(directory, `${daemon}.log`))
    if (text) yield { name: `libvirt/${daemon}.log`, text }
  }
  const text = await journal()
  if (text) yield { name: 'libvirt/journal.log', text }
  for (const id of machines.slice(0, MACHINES_MAX)) {
    const name = `${domainName(id)}.log`
    const log = await tail(join(directory, 'qemu', ...(session ? ['log'] : []), name))
    if (log) yield { name: `qemu/${name}`, text: log }
  }
}
