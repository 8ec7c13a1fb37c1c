/** Chooses the ports of the machine that lead into a host. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { ifMissing } from '@steading/files'
import { hostPaths } from './host-paths.ts'
import { isRunning } from './status.ts'

/** Ports, including both. */
export interface PortRange {
  first: number
  last: number
}

/** Whether all ports of a block are free. */
async function isFree({ first, last }: PortRange, address: string): Promise<boolean> {
  const servers: Server[] = []
  try {
    for (let port = first; port <= last; port++) {
      const server = createServer()
      servers.push(server)
      server.listen({ port, host: address, exclusive: true })
      await once(server, 'listening')
    }
    return true
  } catch {
    return false
  } finally {
    for (const server of servers) server.close()
  }
}

/**
 * The ports of a host: a block of a range, because several hosts may run on a machine. A host keeps
 * its block, unless another program has taken a port of it while the host did not run.
 * @param directory of the host; made if it is missing
 * @param size ports of a block
 */
export async function chooseForwards(
  directory: string,
  range: PortRange & { address: string },
  size: number,
): Promise<PortRange> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'forwards')
  const count = Math.floor((range.last - range.first + 1) / size)
  const block = (index: number): PortRange => {
    const first = range.first + (index % count) * size
    return { first, last: first + size - 1 }
  }
  const text = await readFile(path, 'utf8').catch(ifMissing(''))
  const stored = /^\d{1,4}$/.test(text.trim()) ? Number(text) : undefined
  if (stored !== undefined && (await isRunning(hostPaths(directory).hostLock))) return block(stored)
  const begin = stored ?? createHash('sha256').update(directory).digest().readUInt32BE(0) % count
  let chosen = begin
  for (let tried = 0; tried < count; tried++) {
    if (!(await isFree(block(begin + tried), range.address))) continue
    chosen = (begin + tried) % count
    break
  }
  const unfinished = `${path}-${crypto.randomUUID()}`
  await writeFile(unfinished, String(chosen), { mode: 0o600 })
  await rename(unfinished, path)
  return block(chosen)
}
